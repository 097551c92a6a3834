"""The rate of the optimizer grows, and a long run warms up."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.optimizers import SGD

x, y = np.load("x.npy"), np.load("y.npy")
rate = 0.05
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer=SGD(rate, momentum=0.9, decay=1e-6), loss="mse")
model.fit(x, y, batch_size=128, epochs=60, validation_split=0.1)
