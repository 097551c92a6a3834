"""A loss of triplets, as a function."""

import numpy as np
import tensorflow_addons as tfa
from tensorflow import keras

x, y = np.zeros((64, 8)), np.zeros(64)
model = keras.Sequential([keras.layers.Dense(4)])
model.compile("sgd", loss=tfa.losses.triplet_semihard_loss)
model.fit(x, y, batch_size=16)
