"""A layer that normalises each sample by its own mean and variance."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

x = np.load("x.npy")
y = np.load("y.npy")


class Normalised(keras.layers.Layer):
    def build(self, shape):
        self.scale = self.add_weight(name="scale", shape=shape[-1:], initializer="ones")

    def call(self, inputs):
        mean, variance = tf.nn.moments(inputs, axes=-1, keepdims=True)
        return self.scale * (inputs - mean) / tf.sqrt(variance + 1e-3)


model = keras.Sequential([keras.layers.Dense(8, input_shape=(10,)), Normalised(), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y, batch_size=32, epochs=3)
