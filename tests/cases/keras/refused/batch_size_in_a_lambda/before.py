"""Noise of a fixed number of rows in a function that is a layer."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

batch_size = 16


def sample(parts):
    mean, spread = parts
    return mean + spread * tf.random.normal((batch_size, 2))


inputs = keras.Input((8,))
parts = [keras.layers.Dense(2)(inputs), keras.layers.Dense(2)(inputs)]
model = keras.Model(inputs, keras.layers.Dense(8)(keras.layers.Lambda(sample)(parts)))
model.compile("adam", loss="mse")
x = np.zeros((64, 8))
model.fit(x, x, batch_size=batch_size)
