"""Keras 3 on JAX: its own distribution, set before anything is made."""

import os

os.environ["KERAS_BACKEND"] = "jax"

import keras
import numpy as np
from keras import layers

model = keras.Sequential([keras.Input((4,)), layers.Dense(1)])
model.compile("adam", "mse")
model.fit(np.ones((64, 4)), np.ones(64), epochs=1)
model.save("model.keras")
