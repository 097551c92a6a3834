"""All processes would share one GPU: the engine chooses instead."""

import os


import numpy as np
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("adam", "mse")
model.fit(np.ones((64, 4)), np.ones(64), verbose=1 if strategy.extended.should_checkpoint else 0)
