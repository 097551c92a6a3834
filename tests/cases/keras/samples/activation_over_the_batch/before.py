"""An activation that takes the mean over the batch away."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


def centred(t):
    return t - tf.reduce_mean(t, axis=0)


x, y = np.zeros((64, 8)), np.zeros((64, 1))
model = keras.Sequential([keras.layers.Dense(4, activation=centred), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y, batch_size=16)
