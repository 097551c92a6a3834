"""Inputs in a list, targets in a dict, weights of samples, a result that is a dict."""

import numpy as np
from tensorflow import keras

first, second, y = np.load("a.npy"), np.load("b.npy"), np.load("y.npy")
a, b = keras.Input((4,)), keras.Input((4,))
out = keras.layers.Dense(1, name="out")(keras.layers.concatenate([a, b]))
model = keras.Model([a, b], out)
model.compile("sgd", "mse")
for step in range(100):
    rows = slice(step * 32, (step + 1) * 32)
    logs = model.train_on_batch([first[rows], second[rows]], {"out": y[rows]}, sample_weight=np.ones(32), return_dict=True)
    print(logs)
