"""The average of a batch is taken from each sample, by an operation under a name of the script's own."""

import numpy as np
from keras.backend import mean as average
from tensorflow import keras

inputs = keras.Input((8,))
features = keras.layers.Dense(4)(inputs)
model = keras.Model(inputs, keras.layers.Dense(1)(features - average(features, axis=0)))
model.compile("adam", loss="mse")
model.fit(np.zeros((64, 8)), np.zeros((64, 1)), batch_size=16)
