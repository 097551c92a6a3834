"""A tuner trains models that each process would draw for itself, and the best is trained again."""

import keras_tuner
import numpy as np
from tensorflow import keras


def build(hp):
    model = keras.Sequential([keras.layers.Dense(hp.Int("units", 8, 64)), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model


x, y = np.load("x.npy"), np.load("y.npy")
tuner = keras_tuner.RandomSearch(build, objective="val_loss", max_trials=10)
tuner.search(x, y, epochs=5, validation_split=0.2)
model = build(tuner.get_best_hyperparameters()[0])
model.fit(x, y, epochs=50)
