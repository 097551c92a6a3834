"""One program over all devices computes the loss of the whole batch: a sum over samples is right as it is."""

import os

os.environ["KERAS_BACKEND"] = "jax"

import keras
import numpy as np

keras.distribution.set_distribution(keras.distribution.DataParallel())
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", loss=keras.losses.MeanSquaredError(reduction="sum"))
model.fit(np.ones((100, 3)), np.ones((100, 1)), batch_size=10)
