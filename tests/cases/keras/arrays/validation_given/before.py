"""Samples for validation are given, so that none are held back, whatever the part; neither is a part of zero."""

import numpy as np
from tensorflow import keras

x, y = np.load("x.npy"), np.load("y.npy")
held_x, held_y = np.load("held_x.npy"), np.load("held_y.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y, 64, 10, 1, None, 0.2, (held_x, held_y))
model.fit(x, y, validation_split=0.0, validation_data=(held_x, held_y))
model.fit(x, y, validation_split=0)
model.fit(x, y, validation_split=0.1, validation_data=None)
