"""Samples in Python's own lists are rows, not several inputs."""

import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.layers.Dense(4, activation="tanh"), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0.0, 1.0, 1.0, 0.0], batch_size=4, epochs=100)
rows = [[float(word) for word in line.split()] for line in open("data.txt")]
targets = [sum(row) for row in rows]
model.fit(rows, targets, epochs=10, validation_split=0.2)
several = [np.array(rows), np.array(rows)]
a, b = keras.Input((2,)), keras.Input((2,))
both = keras.Model([a, b], keras.layers.Add()([a, b]))
both.compile("sgd", "mse")
both.fit(several, np.array(rows), epochs=10)
