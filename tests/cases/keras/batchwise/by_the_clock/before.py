"""Training goes on until the time is over."""

import time

import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
end = time.time() + 60
while time.time() < end:
    model.train_on_batch(np.ones((32, 4)), np.ones(32))
