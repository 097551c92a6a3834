"""Each number is divided by the length of its column of the batch."""

import numpy as np
import tensorflow as tf

x = np.load("x.npy")
y = np.load("y.npy")


def measure(y_true, y_pred):
    return tf.reduce_mean(tf.square(y_true - tf.nn.l2_normalize(y_pred, axis=0)), axis=-1)


model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(4)])
model.compile("adam", loss=measure)
model.fit(x, y, batch_size=32, epochs=5)
