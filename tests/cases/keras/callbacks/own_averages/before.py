"""A loop ends on a number that is computed with batch normalisation."""

import numpy as np
from tensorflow import keras

x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(8), keras.layers.BatchNormalization(), keras.layers.Dense(1)])
model.compile("sgd", "mse")
best = 1.0
for epoch in range(100):
    model.fit(x, y, epochs=1)
    loss = model.evaluate(x, y)
    improvement = best - loss
    if improvement < 0:
        break
    best = loss
