"""A model is trained, and then a copy of it that a library has made."""

import numpy as np
import tensorflow_model_optimization as tfmot
from tensorflow import keras

x, y = np.zeros((64, 8)), np.zeros((64, 1))
model = keras.Sequential([keras.layers.Dense(1, input_shape=(8,))])
model.compile("adam", loss="mse")
model.fit(x, y, batch_size=16)
pruned = tfmot.sparsity.keras.prune_low_magnitude(model)
pruned.compile("adam", loss="mse")
pruned.fit(x, y, batch_size=16, epochs=2)
