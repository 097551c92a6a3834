"""A layer that divides each number by those of the other samples."""

import numpy as np
import tensorflow as tf


class Mine(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.project = tf.keras.layers.Dense(8)

    def call(self, inputs):
        z = self.project(inputs)
        return tf.nn.softmax(z, axis=0)


model = tf.keras.Sequential([Mine(), tf.keras.layers.Dense(1)])
model.compile("adam", loss="mse")
model.fit(np.load("x.npy"), np.load("y.npy"), batch_size=32, epochs=5)
