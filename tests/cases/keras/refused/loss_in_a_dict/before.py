"""Losses by the names of outputs in a variable, one of them the root of an average over the batch."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

x, y = np.zeros((64, 8)), np.zeros((64, 1))


def rooted(y_true, y_pred):
    return tf.sqrt(tf.reduce_mean(tf.square(y_true - y_pred)))


losses = {"a": "mse", "b": rooted}
inputs = keras.Input((8,))
model = keras.Model(inputs, [keras.layers.Dense(1, name="a")(inputs), keras.layers.Dense(1, name="b")(inputs)])
model.compile("adam", loss=losses)
model.fit(x, [y, y], batch_size=16)
