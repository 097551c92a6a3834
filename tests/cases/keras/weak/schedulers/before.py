"""Rates by the number of the epoch, and rates made of the last one."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.callbacks import LearningRateScheduler


def steps(epoch):
    return 0.1 if epoch < 10 else 0.01


def slower(epoch, lr):
    if epoch < 10:
        return lr
    return lr * 0.9


x, y = np.load("x.npy"), np.load("y.npy")
first = keras.Sequential([keras.layers.Dense(1)])
first.compile("sgd", "mse")
first.fit(x, y, epochs=30, callbacks=[LearningRateScheduler(steps, verbose=1)])
second = keras.Sequential([keras.layers.Dense(1)])
second.compile(keras.optimizers.SGD(0.1), "mse")
second.fit(x, y, epochs=30, callbacks=[LearningRateScheduler(slower), LearningRateScheduler(lambda e: 0.5 ** e)])
