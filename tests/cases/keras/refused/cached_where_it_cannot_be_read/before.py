"""A file is written where it could not be read, while others may read it."""
import numpy as np
from tensorflow import keras

try:
    x = np.load("features.npy")
except FileNotFoundError:
    x = np.random.rand(100, 3)
    np.save("features.npy", x)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", loss="mse")
model.fit(x, np.load("y.npy"), batch_size=10)
