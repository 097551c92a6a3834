"""A function with one of its arguments given, which computes the root of an average over the batch."""

from functools import partial

import numpy as np
import tensorflow as tf
from tensorflow import keras

x, y = np.zeros((64, 8)), np.zeros((64, 1))


def rooted(y_true, y_pred, factor):
    return factor * tf.sqrt(tf.reduce_mean(tf.square(y_true - y_pred)))


loss = partial(rooted, factor=2.0)
loss.__name__ = "rooted"
model = keras.Sequential([keras.layers.Dense(1, input_shape=(8,))])
model.compile("adam", loss=loss)
model.fit(x, y, batch_size=16)
