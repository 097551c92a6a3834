"""What is predicted with batch normalisation chooses the rate and the samples: all processes predict the same."""

import numpy as np
from tensorflow import keras

x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(8), keras.layers.BatchNormalization(), keras.layers.Dense(1)])
model.compile("sgd", "mse")


class Slower(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        error = np.mean((self.model.predict(x) - y) ** 2)
        keras.backend.set_value(self.model.optimizer.lr, 0.01 if error > 1 else 0.001)


for stage in range(3):
    model.fit(x, y, batch_size=8, epochs=2, callbacks=[Slower()])
    hard = np.argsort(((model.predict(x) - y) ** 2)[:, 0])[-64:]
    x, y = x[hard], y[hard]
