"""A layer draws random numbers also when the model is evaluated, and training ends by that."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


class Sampling(keras.layers.Layer):
    def call(self, inputs):
        return inputs + tf.random.normal(tf.shape(inputs))


x, y = np.zeros((64, 8)), np.zeros((64, 1))
model = keras.Sequential([keras.layers.Dense(4), Sampling(), keras.layers.Dense(1)])
model.compile("sgd", "mse")
for _ in range(10):
    model.fit(x, y, batch_size=16)
    if model.evaluate(x, y) < 0.1:
        break
