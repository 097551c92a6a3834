"""Training ends when time is up."""

import time

import numpy as np
from tensorflow import keras

x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", "mse")
start = time.time()
for epoch in range(100):
    model.fit(x, y, epochs=1)
    if time.time() - start > 60:
        break
