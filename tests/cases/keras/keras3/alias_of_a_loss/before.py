"""Keras 3 has mean_squared_error, but not its alias: refused."""

import keras
import numpy as np

keras.utils.set_random_seed(0)
x = np.random.rand(64, 8).astype("float32")
y = x.sum(1, keepdims=True)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", keras.losses.mse)
model.fit(x, y, batch_size=16, epochs=1)
