"""One column of the predictions, whose softmax is over the samples."""

import numpy as np
import tensorflow as tf

x = np.random.default_rng(0).normal(size=(640, 10))
y = x[:, :2]


def loss(y_true, y_pred):
    weights = tf.nn.softmax(y_pred[:, 0])
    return tf.reduce_mean(weights * tf.square(y_true[:, 1] - y_pred[:, 1]))


model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(10,))])
model.compile("sgd", loss)
model.fit(x, y, batch_size=32, epochs=3)
