"""Cuts, softmax and other reversals of what each sample has: an average over samples."""

import numpy as np
import tensorflow as tf

x = np.load("x.npy")
y = np.load("y.npy")


def measure(y_true, y_pred):
    position, size = tf.split(y_pred, 2, axis=-1)
    far = tf.reduce_sum(tf.square(position - y_true[:, :2]), axis=-1)
    return far + tf.reduce_sum(tf.nn.softmax(size, axis=-1) * tf.reverse(y_true[:, 2:], axis=[-1]), axis=-1)


model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(4)])
model.compile("adam", loss=measure)
model.fit(x, y, batch_size=32, epochs=5)
