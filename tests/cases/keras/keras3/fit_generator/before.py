"""Keras 3 has no fit_generator: refused."""

import keras
import numpy as np

keras.utils.set_random_seed(0)
x = np.random.rand(64, 8).astype("float32")
y = x.sum(1, keepdims=True)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit_generator(((x, y) for _ in range(8)), steps_per_epoch=4, epochs=1)
