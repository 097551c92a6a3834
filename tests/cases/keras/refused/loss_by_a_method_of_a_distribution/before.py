"""A distribution's own loss adds up over a batch, weighed against a term that does not."""

import numpy as np
import tensorflow_probability as tfp
from tensorflow import keras

x, y = np.zeros((64, 1)), np.zeros((64, 1))
model = keras.Sequential([keras.layers.InputLayer([1]), tfp.layers.VariationalGaussianProcess(8, None)])
model.compile("adam", loss=lambda y, rv_y: rv_y.variational_loss(y, kl_weight=16 / 64))
model.fit(x, y, batch_size=16)
