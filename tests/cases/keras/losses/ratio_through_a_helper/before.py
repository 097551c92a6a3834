"""A root of what another function has averaged over the batch."""

import numpy as np
import tensorflow as tf


def error(y_true, y_pred):
    return tf.reduce_mean(tf.square(y_true - y_pred))


def loss(y_true, y_pred):
    return tf.sqrt(error(y_true, y_pred))


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", loss=loss)
model.fit(np.ones((320, 4)), np.ones(320))
