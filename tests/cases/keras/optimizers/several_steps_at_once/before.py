"""Several steps are made before any callback is called: weights have to be equal from the first."""

import numpy as np
from tensorflow import keras

x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", "mse", steps_per_execution=8)
model.fit(x, y, epochs=5)
