"""Attention, cuts and products within each sample: nothing meets."""

import numpy as np
import tensorflow as tf


class Mine(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.project = tf.keras.layers.Dense(8)

    def call(self, inputs):
        z = self.project(inputs)
        values = tf.reshape(z, [-1, 4, 2])
        weights = tf.nn.softmax(tf.matmul(values, values, transpose_b=True), axis=-1)
        left, right = tf.split(tf.matmul(weights, values), 2, axis=-1)
        both = tf.einsum("bij,bij->bi", left, right) + tf.einsum("bi,ij->bj", z[:, :4], tf.eye(4))
        return both + tf.cumsum(z[:, 4:], axis=1)


model = tf.keras.Sequential([Mine(), tf.keras.layers.Dense(1)])
model.compile("adam", loss="mse")
model.fit(np.load("x.npy"), np.load("y.npy"), batch_size=32, epochs=5)
