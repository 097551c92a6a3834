"""Schedules in steps: N times the rates, over 1/N of the steps."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.optimizers.schedules import ExponentialDecay, PiecewiseConstantDecay, PolynomialDecay

x, y = np.load("x.npy"), np.load("y.npy")
for schedule in (1, 2, 3):
    if schedule == 1:
        rate = ExponentialDecay(0.1, decay_steps=1000, decay_rate=0.96)
    elif schedule == 2:
        rate = PiecewiseConstantDecay([1000, 2000], [0.1, 0.01, 0.001])
    else:
        rate = PolynomialDecay(initial_learning_rate=0.1, decay_steps=5 * 1000)
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile(optimizer=keras.optimizers.SGD(learning_rate=rate), loss="mse")
    model.fit(x, y, epochs=20)
