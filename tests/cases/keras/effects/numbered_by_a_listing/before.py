"""A folder for each run has the number of those that are there: all have counted before it is made."""

import os

import numpy as np
from tensorflow import keras

folder = f"runs/{len(os.listdir('runs'))}"
os.makedirs(folder)
os.makedirs("pictures")
x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", loss="mse")
model.fit(x, y, batch_size=8)
model.save_weights(f"{folder}/weights.h5")
model.load_weights(f"{folder}/weights.h5")
