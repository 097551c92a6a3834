"""A rate that is sometimes the last one and sometimes a number."""

import numpy as np
from tensorflow import keras


def rate(epoch, lr):
    return lr if epoch < 10 else 0.01


x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y, epochs=30, callbacks=[keras.callbacks.LearningRateScheduler(rate)])
