"""The mean of the hardest samples of a batch: the hardest of its parts are others."""

import numpy as np
import tensorflow as tf

x = np.load("x.npy")
y = np.load("y.npy")


def measure(y_true, y_pred):
    errors = tf.reduce_mean(tf.square(y_true - y_pred), axis=-1)
    hardest, _ = tf.math.top_k(errors, k=8)
    return tf.reduce_mean(hardest)


model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(4)])
model.compile("adam", loss=measure)
model.fit(x, y, batch_size=32, epochs=5)
