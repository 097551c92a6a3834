"""Layers of each sample, made by functools.partial; one of them draws noise and one keeps averages."""

from functools import partial

import numpy as np
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(0)
Hidden = partial(keras.layers.Dense, activation="relu")
Dropped = partial(keras.layers.Dropout, 0.5)
Normalised = partial(keras.layers.BatchNormalization, momentum=0.9)

x, y = np.zeros((64, 8)), np.zeros((64, 1))
with strategy.scope():
    model = keras.Sequential([Hidden(4), Normalised(), Dropped(), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
model.fit(x, y, batch_size=16, verbose=1 if strategy.extended.should_checkpoint else 0)
