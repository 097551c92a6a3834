"""An object of Keras that adds up along the only dimension there is."""

import numpy as np
import tensorflow as tf

x = np.random.default_rng(0).normal(size=(640, 10))
y = x[:, :2]


def loss(y_true, y_pred):
    return tf.keras.losses.KLDivergence()(y_true[:, 0], y_pred[:, 0])


model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(10,))])
model.compile("sgd", loss)
model.fit(x, y, batch_size=32, epochs=3)
