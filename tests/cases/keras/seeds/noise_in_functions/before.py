"""Functions that are layers, or part of one, draw noise as layers do."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K

tf.random.set_seed(3)
x, y = np.ones((100, 3), dtype="float32"), np.ones(100)


def sample(parts):
    mean, spread = parts
    return mean + spread * K.random_normal(K.shape(mean))


inputs = tf.keras.Input((3,))
dense = tf.keras.layers.Dense(2)
drawn = tf.keras.layers.Lambda(sample)([dense(inputs), dense(inputs)])
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(drawn))
model.compile("adam", "mse")
model.fit(x, y, batch_size=20)
