"""XLA cannot compile a step with an all-reduce in it."""

import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse", jit_compile=True)
model.fit(np.ones((320, 4)), np.ones((320, 1)), batch_size=32)
