"""A metric that is divided by the weights of samples, of which processes have different ones."""

import numpy as np
from tensorflow import keras

x, y, weights = np.load("x.npy"), np.load("y.npy"), np.load("weights.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "binary_crossentropy", weighted_metrics=["accuracy"])
model.fit(x, y, sample_weight=weights)
