"""What happens when the data is missing is more than fetching it."""

import os

import numpy as np
from tensorflow import keras

path = "data/table.npy"
if not os.path.exists(path):
    path = keras.utils.get_file("table.npy", origin="http://example.com/table.npy")

table = np.load(path)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer=keras.optimizers.Adam(), loss="mse")
model.fit(table[:, :3], table[:, 3], epochs=2)
