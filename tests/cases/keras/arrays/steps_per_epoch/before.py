"""The number of batches is given in the place of their size."""

import numpy as np
from tensorflow import keras

x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y, epochs=2, steps_per_epoch=10)
