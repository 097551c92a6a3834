"""The rate goes up and down by the number of steps, which is equal everywhere; the losses are only kept."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import backend as K


class Cycle(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.steps = 0
        self.history = {}

    def on_batch_end(self, batch, logs=None):
        self.steps += 1
        for name, value in logs.items():
            self.history.setdefault(name, []).append(value)
        K.set_value(self.model.optimizer.lr, 0.01 * (1 + np.sin(self.steps / 100)))


x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, epochs=5, callbacks=[Cycle()])
