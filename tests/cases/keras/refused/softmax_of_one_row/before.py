"""A softmax along a row that holds the whole batch: each weight depends on all the samples."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K

x = np.load("x.npy")
y = np.load("y.npy")


def loss(y_true, y_pred):
    weights = tf.nn.softmax(tf.reshape(y_pred, [1, -1]))
    errors = tf.reshape(tf.square(y_true - y_pred), [1, -1])
    return tf.reduce_mean(weights * errors)


model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(10,))])
model.compile(optimizer="sgd", loss=loss)
model.fit(x, y, batch_size=32, epochs=3)
