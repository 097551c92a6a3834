"""Sums by the number of samples, products with constants, running sums within a sample, and einops: averages."""

import einops
import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K

x = np.load("x.npy")
y = np.load("y.npy")
mixing = tf.constant([[1.0, 0.5], [0.0, 1.0]])


def by_their_number(y_true, y_pred):
    return K.sum(K.square(y_true - y_pred)) / K.cast(K.shape(y_pred)[0], "float32")


def measure(y_true, y_pred):
    errors = tf.matmul(y_true - y_pred, mixing)
    ranked = K.cumsum(y_true, axis=1) - K.cumsum(y_pred, axis=1)
    parts = einops.rearrange(errors, "batch (part column) -> batch part column", part=1)
    first, second = tf.unstack(ranked, axis=1)
    each = K.mean(K.square(ranked), axis=-1) + tf.reduce_sum(tf.abs(parts), axis=[1, 2])
    return each + 0.1 * (first - second) + by_their_number(y_true, y_pred)


model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(10,))])
model.compile(optimizer="sgd", loss=measure)
model.fit(x, y, batch_size=32, epochs=3)
