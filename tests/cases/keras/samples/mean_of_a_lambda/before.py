"""A lambda that is a layer divides by the largest value of the batch."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

model = keras.Sequential([keras.layers.Lambda(lambda x: x / tf.reduce_max(x)), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(np.ones((320, 4)), np.ones((320, 1)), batch_size=32)
