"""The variance of the errors of a batch."""

import numpy as np
import tensorflow as tf

x = np.random.default_rng(0).normal(size=(640, 10))
y = x[:, :2]


def loss(y_true, y_pred):
    _, variance = tf.nn.moments(y_true - y_pred, axes=[0])
    return variance


model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(10,))])
model.compile("sgd", loss)
model.fit(x, y, batch_size=32, epochs=3)
