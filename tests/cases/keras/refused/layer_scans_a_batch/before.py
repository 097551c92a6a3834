"""A running average that goes from sample to sample."""

import numpy as np
import tensorflow as tf

x = np.random.default_rng(0).normal(size=(640, 10))


class Mixed(tf.keras.layers.Layer):
    def call(self, inputs):
        return tf.scan(lambda before, each: 0.9 * before + 0.1 * each, inputs)


model = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(10,)), Mixed(), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, x.sum(1), batch_size=32, epochs=3)
