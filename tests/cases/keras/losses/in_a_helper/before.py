"""The overlap over a whole batch is computed in a function that the loss calls."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import backend as K


def overlap(y_true, y_pred):
    both = K.sum(K.flatten(y_true) * K.flatten(y_pred))
    return (2 * both + 1) / (K.sum(y_true) + K.sum(y_pred) + 1)


def overlap_loss(y_true, y_pred):
    return 1 - overlap(y_true, y_pred)


model = keras.Sequential([keras.layers.Conv2D(1, 3, padding="same")])
model.compile("sgd", loss=overlap_loss)
model.fit(np.ones((320, 8, 8, 1)), np.ones((320, 8, 8, 1)))
