"""Classes first, then sums over all that is behind them, the samples among it."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K

x = np.load("x.npy")
y = np.load("y.npy")


def loss(y_true, y_pred):
    a = K.permute_dimensions(y_true, (1, 0))
    b = K.permute_dimensions(y_pred, (1, 0))
    return 1 - K.mean(K.sum(a * b, axis=1) / (K.sum(a + b, axis=1) + 1e-6))


model = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(10,))])
model.compile(optimizer="sgd", loss=loss)
model.fit(x, y, batch_size=32, epochs=3)
