"""A product of a batch with itself along the samples."""

import numpy as np
import tensorflow as tf

x = np.load("x.npy")
y = np.load("y.npy")


def measure(y_true, y_pred):
    gram = tf.tensordot(y_pred, y_pred, [[0], [0]])
    return tf.reduce_mean(tf.square(gram))


model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(4)])
model.compile("adam", loss=measure)
model.fit(x, y, batch_size=32, epochs=5)
