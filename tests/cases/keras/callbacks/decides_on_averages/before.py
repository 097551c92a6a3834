"""A loop ends on a metric of fit, which is averaged; what is computed with batch normalisation is only kept."""

import numpy as np
from tensorflow import keras

x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(8), keras.layers.BatchNormalization(), keras.layers.Dense(1)])
model.compile("sgd", "mse")
best = 1.0
for epoch in range(100):
    history = model.fit(x, y, epochs=1, validation_split=0.5)
    loss = history.history["val_loss"][0]
    score = model.evaluate(x, y)
    if score < 0.1:
        print("good", score)
    if loss > best:
        break
    best = loss
