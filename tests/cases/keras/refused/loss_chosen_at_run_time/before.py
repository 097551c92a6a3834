"""One of two functions of the script, one of which computes the root of an average over the batch."""

import sys

import numpy as np
import tensorflow as tf
from tensorflow import keras

x, y = np.zeros((64, 8)), np.zeros((64, 1))


def rooted(y_true, y_pred):
    return tf.sqrt(tf.reduce_mean(tf.square(y_true - y_pred)))


def squared(y_true, y_pred):
    return tf.reduce_mean(tf.square(y_true - y_pred))


loss = rooted if sys.argv[1] == "rooted" else squared
model = keras.Sequential([keras.layers.Dense(1, input_shape=(8,))])
model.compile("adam", loss=loss)
model.fit(x, y, batch_size=16)
