"""A model fitted in a loop, one epoch at a time, with samples shown on the way."""

import numpy as np
from tensorflow import keras

x = np.random.default_rng(0).normal(size=(640, 5))
y = x.sum(1)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(loss="mse", optimizer="sgd")
for iteration in range(1, 20):
    print("Iteration", iteration)
    model.fit(x, y, batch_size=64, epochs=1)
    print("guess", model.predict(x[:1], verbose=0)[0, 0], "truth", y[0])
