"""Keras 3 lists the legacy optimizers, and raises an error where one is made: refused."""

import keras
import numpy as np
from keras.optimizers.legacy import Adam

keras.utils.set_random_seed(0)
x = np.random.rand(64, 8).astype("float32")
y = x.sum(1, keepdims=True)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(Adam(), "mse")
model.fit(x, y, batch_size=16, epochs=1)
