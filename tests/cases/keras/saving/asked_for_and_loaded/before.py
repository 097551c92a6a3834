"""Whether rank 0 has saved a model is asked by all, when it has."""

import os

import numpy as np
from tensorflow import keras

x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, epochs=5, callbacks=[keras.callbacks.ModelCheckpoint("best.h5", save_best_only=True)])
if os.path.exists("best.h5"):
    model.load_weights("best.h5")
if not os.path.exists("out"):
    os.makedirs("out")
model.fit(x, y, epochs=5)
