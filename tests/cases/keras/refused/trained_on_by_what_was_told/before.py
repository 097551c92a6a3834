"""Training goes on if the last batches of each process had a large loss: one goes on, and waits for the others."""
import numpy as np
from tensorflow import keras


class Losses(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.losses = []

    def on_train_batch_end(self, batch, logs=None):
        self.losses.append(logs["loss"])


x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", loss="mse")
told = Losses()
model.fit(x, y, batch_size=8, callbacks=[told])
if np.mean(told.losses[-10:]) > 0.5:
    model.fit(x, y, batch_size=8, epochs=5)
