"""Samples are chosen by their place in the batch."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import backend as K


def triplet(y_true, y_pred):
    anchor, good, bad = y_pred[0::3], y_pred[1::3], y_pred[2::3]
    return K.mean(K.maximum(K.abs(anchor - good) - K.abs(anchor - bad) + 1.0, 0.0))


model = keras.Sequential([keras.layers.Dense(8)])
model.compile("sgd", loss=triplet)
model.fit(np.ones((300, 4)), np.ones(300), batch_size=30)
