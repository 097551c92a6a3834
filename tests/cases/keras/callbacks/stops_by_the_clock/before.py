"""Training ends when time is up, which is told by each process's own clock."""

import time

import numpy as np
from tensorflow import keras


class TimeLimit(keras.callbacks.Callback):
    def __init__(self, seconds):
        super().__init__()
        self.end = time.time() + seconds

    def on_epoch_end(self, epoch, logs=None):
        if time.time() > self.end:
            self.model.stop_training = True


x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, epochs=100, callbacks=[TimeLimit(60)])
