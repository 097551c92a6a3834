"""Weights are saved and loaded under a time that each process takes for itself, in a function: rank 0 tells its own."""

import datetime
import os

import numpy as np
from tensorflow import keras


def train(model, run, first, last):
    if first > 0:
        model.load_weights(os.path.join("runs", run, f"{first}.h5"))
    model.fit(np.zeros((64, 4)), np.zeros(64), epochs=last, initial_epoch=first)
    model.save_weights(os.path.join("runs", run, f"{last}.h5"))


model = keras.Sequential([keras.layers.Dense(1, input_shape=(4,))])
model.compile(optimizer=keras.optimizers.Adam(), loss="mse")
run = datetime.datetime.now().strftime("%H-%M-%S")
train(model, run, 0, 2)
train(model, run, 2, 4)
