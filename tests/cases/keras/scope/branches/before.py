"""A model made in one of two branches: the branches go under the scope as one."""

import sys

import numpy as np
from tensorflow import keras

if sys.argv[1] == "wide":
    model = keras.Sequential([keras.layers.Dense(100), keras.layers.Dense(1)])
else:
    model = keras.Sequential([keras.layers.Dense(1)])
x = np.ones((64, 4))
y = x.sum(1)
x -= x.mean()
y -= y.mean()
print(x.shape)
model.compile("adam", "mse")
model.fit(x, y, epochs=1)
