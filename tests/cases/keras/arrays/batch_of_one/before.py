"""A batch of one sample cannot be shared out."""

import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.layers.Dense(1)])
model.compile(loss="mse", optimizer="sgd")
model.fit(np.ones((10, 2)), np.ones(10), batch_size=1)
