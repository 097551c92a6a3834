"""A layer puts what its samples hold into a variable."""

import numpy as np
import tensorflow as tf


class Seen(tf.keras.layers.Layer):
    def build(self, shape):
        self.seen = self.add_weight(name="seen", shape=(10,), initializer="zeros", trainable=False)

    def call(self, x):
        self.seen.scatter_nd_update(tf.cast(x[:, :1], tf.int32), x[:, 1])
        return x


x, y = np.load("x.npy"), np.load("y.npy")
model = tf.keras.Sequential([Seen(), tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, batch_size=32, epochs=3)
