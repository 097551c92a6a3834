"""Columns of the targets are chosen, and products are made for each sample."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


def weighed(y_true, y_pred):
    target, weight = y_true[:, 0], y_true[..., 1]
    mixed = tf.matmul(y_pred, tf.constant([[1.0], [2.0]]))
    return tf.reduce_mean(weight * tf.square(target - mixed[:, 0])) + tf.reduce_mean(y_pred[:, 1:])


model = keras.Sequential([keras.layers.Dense(2)])
model.compile("sgd", loss=weighed)
model.fit(np.ones((320, 4)), np.ones((320, 2)))
