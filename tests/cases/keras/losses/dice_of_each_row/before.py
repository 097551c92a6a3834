"""A Dice loss of each sample, whatever its shape."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K

x = np.load("x.npy")
y = np.load("y.npy")


def dice(a, b):
    return 2 * K.sum(a * b, axis=-1) / (K.sum(a, axis=-1) + K.sum(b, axis=-1))


def loss(y_true, y_pred):
    shape = [tf.shape(y_true)[0], -1]
    return 1 - dice(tf.reshape(y_true, shape), K.batch_flatten(y_pred))


model = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(10,))])
model.compile(optimizer="sgd", loss=loss)
model.fit(x, y, batch_size=32, epochs=3)
