"""The root of what each sample has and an average of all, added up: linear before the root, not behind it."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import backend as K

x = np.load("x.npy")
y = np.load("y.npy")


def rooted(y_true, y_pred):
    errors = K.sum(K.square(y_true - y_pred), axis=-1)
    return K.sqrt(errors + K.mean(K.abs(y_pred)))


model = keras.Sequential([keras.Input((10,)), keras.layers.Dense(3)])
model.compile("sgd", loss=rooted)
model.fit(x, y, batch_size=32, epochs=3)
