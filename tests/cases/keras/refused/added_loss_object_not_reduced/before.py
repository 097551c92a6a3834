"""A loss object that is not reduced gives a number a sample, which nothing averages before it is added to a model."""

import numpy as np
from tensorflow import keras

inputs = keras.Input((4,))
outputs = keras.layers.Dense(4)(keras.layers.Dense(2)(inputs))
model = keras.Model(inputs, outputs)
model.add_loss(keras.losses.MeanSquaredError(reduction="none")(inputs, outputs))
model.compile("sgd")
model.fit(np.ones((320, 4)), batch_size=32)
