"""Comprehensions that write something, and draw random numbers or run the model for each item."""

import matplotlib.pyplot as plt
import numpy as np
from tensorflow import keras

np.random.seed(1)
x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1, input_shape=(4,))])
[plt.plot(np.random.rand(3)) for _ in range(2)]
[print(number, model.predict(x[:number])) for number in (1, 2)]
[print(number, len(x)) for number in np.random.rand(3)]
order = np.random.permutation(len(x))
model.compile("sgd", "mse")
model.fit(x[order], y[order], epochs=2, validation_split=0.2)
