"""A library makes another model of one that was fitted, which is compiled and fitted with no word of Keras'."""

import numpy as np
import tensorflow_model_optimization as tfmot
from tensorflow import keras

x, y = np.zeros((64, 8)), np.zeros((64, 1))
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y)

pruned = tfmot.sparsity.keras.prune_low_magnitude(model)
pruned.compile("sgd", "mse")
pruned.fit(x, y, callbacks=[tfmot.sparsity.keras.UpdatePruningStep()])
