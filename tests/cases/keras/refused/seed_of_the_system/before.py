"""A seed that nobody has given is the system's chance, on each process another."""

import numpy as np
from tensorflow import keras

np.random.seed()
x, y = np.load("x.npy"), np.load("y.npy")
order = np.random.permutation(len(x))
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x[order], y[order], epochs=5)
