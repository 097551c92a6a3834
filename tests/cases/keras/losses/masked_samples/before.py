"""A mean over the samples that a mask chooses: each process has another number of them."""

import numpy as np
import tensorflow as tf

x = np.load("x.npy")
y = np.load("y.npy")


def measure(y_true, y_pred):
    wanted = tf.reduce_max(y_true, axis=-1) > 0
    return tf.reduce_mean(tf.boolean_mask(tf.square(y_true - y_pred), wanted))


model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(4)])
model.compile("adam", loss=measure)
model.fit(x, y, batch_size=32, epochs=5)
