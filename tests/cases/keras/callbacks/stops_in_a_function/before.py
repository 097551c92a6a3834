"""A function that a callback calls ends training on the loss of a batch."""

import numpy as np
from tensorflow import keras


def check(loss):
    if loss < 0.01:
        model.stop_training = True


def stop(batch, logs):
    check(logs["loss"])


x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, epochs=5, callbacks=[keras.callbacks.LambdaCallback(on_train_batch_end=stop)])
