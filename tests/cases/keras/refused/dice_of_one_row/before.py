"""A Dice loss over axis 1 of a batch that has become one row is that of the whole batch."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K

x = np.load("x.npy")
y = np.load("y.npy")


def dice(a, b):
    return 2 * K.sum(a * b, axis=-1) / (K.sum(a, axis=-1) + K.sum(b, axis=-1))


def loss(y_true, y_pred):
    return 1 - dice(K.reshape(y_true, (1, -1)), K.reshape(y_pred, (1, -1)))


model = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(10,))])
model.compile(optimizer="sgd", loss=loss)
model.fit(x, y, batch_size=32, epochs=3)
