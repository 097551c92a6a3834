"""A file is read and the function left if it is there, and it is written else, while others may ask for it."""
import os
import pickle

import numpy as np
from tensorflow import keras


def features(path):
    if os.path.exists(path):
        return pickle.load(open(path, "rb"))
    made = np.random.rand(100, 3)
    pickle.dump(made, open(path, "wb"))
    return made


model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", loss="mse")
model.fit(features("features.pkl"), np.load("y.npy"), batch_size=10)
