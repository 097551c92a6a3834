"""What is set before TensorFlow is imported stays in front of it."""

import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"

import numpy as np
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("adam", "mse")
model.fit(np.ones((64, 4)), np.ones(64), epochs=1, verbose=1 if strategy.extended.should_checkpoint else 0)
