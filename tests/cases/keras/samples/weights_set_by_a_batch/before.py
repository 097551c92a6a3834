"""A layer that sets its first weights by the averages of the first batch."""

import numpy as np
import tensorflow_addons as tfa
from tensorflow import keras

x, y = np.zeros((64, 8)), np.zeros((64, 1))
model = keras.Sequential([tfa.layers.WeightNormalization(keras.layers.Dense(4)), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y, batch_size=16)
