"""A shelf is a file that several processes cannot open for writing."""

import shelve

import numpy as np
from tensorflow import keras

x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Input((3,)), keras.layers.Dense(1)])
model.compile("adam", loss="mse")
history = model.fit(x, y, batch_size=8)
results = shelve.open("results")
results["loss"] = history.history["loss"]
results.close()
