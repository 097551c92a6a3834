"""A model with batch normalisation that has no name where it is fitted: each process validates with its own averages."""

import numpy as np
from tensorflow import keras

x, y = np.load("x.npy"), np.load("y.npy")


def build():
    model = keras.Sequential([keras.layers.Dense(8), keras.layers.BatchNormalization(), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model


build().fit(x, y, epochs=3, validation_split=0.5)
