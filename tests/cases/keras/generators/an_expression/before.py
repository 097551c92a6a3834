"""Batches out of a generator expression."""

import numpy as np
from tensorflow import keras

x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(((x[i:i + 32], y[i:i + 32]) for i in range(0, len(x), 32)))
