"""Halves of a batch, which belong together by their place."""

import numpy as np
import tensorflow as tf

x = np.load("x.npy")
y = np.load("y.npy")


def measure(y_true, y_pred):
    error = tf.square(y_true - y_pred)
    first, second = tf.split(error, 2)
    return tf.reduce_mean(tf.maximum(first - second, 0.0), axis=-1)


model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(4)])
model.compile("adam", loss=measure)
model.fit(x, y, batch_size=32, epochs=5)
