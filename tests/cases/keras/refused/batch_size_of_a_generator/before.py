"""A generator makes batches of a size that a layer has in the shape of its noise."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

BATCH_SIZE = 16


def batches(data, size):
    for start in range(0, len(data), size):
        yield data[start : start + size], data[start : start + size, :1]


def make(size):
    inputs = keras.Input((8,))
    noisy = keras.layers.Lambda(lambda x: x + tf.random.normal([size, 8]))(inputs)
    model = keras.Model(inputs, keras.layers.Dense(1)(noisy))
    model.compile("adam", loss="mse")
    return model


model = make(BATCH_SIZE)
generator = batches(np.zeros((640, 8)), BATCH_SIZE)
model.fit_generator(generator, steps_per_epoch=40, epochs=1)
