"""A rate is chosen by the losses of batches, which are other ones on each process: so are the rates."""
import numpy as np
from tensorflow import keras


class Finder(keras.callbacks.Callback):
    def on_train_begin(self, logs=None):
        self.rates, self.losses = [], []

    def on_train_batch_end(self, batch, logs=None):
        rate = keras.backend.get_value(self.model.optimizer.learning_rate)
        self.rates.append(rate)
        self.losses.append(logs["loss"])
        keras.backend.set_value(self.model.optimizer.learning_rate, rate * 1.1)


def make(rate):
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile(keras.optimizers.SGD(rate), loss="mse")
    return model


x, y = np.load("x.npy"), np.load("y.npy")
finder = Finder()
make(1e-5).fit(x, y, batch_size=8, callbacks=[finder])
make(finder.rates[int(np.argmin(finder.losses))]).fit(x, y, batch_size=8, epochs=5)
