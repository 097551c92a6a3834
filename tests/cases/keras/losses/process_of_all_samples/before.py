"""A Gaussian process, in which each sample depends on all others."""

import numpy as np
import tensorflow_probability as tfp
from tensorflow import keras


def loss(y_true, y_pred):
    kernel = tfp.math.psd_kernels.ExponentiatedQuadratic()
    return -tfp.distributions.GaussianProcess(kernel, y_pred).log_prob(y_true[:, 0])


x, y = np.zeros((64, 8)), np.zeros((64, 1))
model = keras.Sequential([keras.layers.Dense(2)])
model.compile("sgd", loss=loss)
model.fit(x, y, batch_size=16)
