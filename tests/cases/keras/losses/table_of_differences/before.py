"""A batch in another dimension meets itself: the differences of each sample to all others."""

import numpy as np
import tensorflow as tf

x = np.load("x.npy")
y = np.load("y.npy")


def measure(y_true, y_pred):
    size = tf.reduce_sum(y_pred, axis=-1)
    return tf.reduce_mean(tf.abs(size[:, None] - size[None, :]))


model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(4)])
model.compile("adam", loss=measure)
model.fit(x, y, batch_size=32, epochs=5)
