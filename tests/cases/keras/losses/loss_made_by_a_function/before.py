"""A function that makes a loss is not one: what is wrong with the loss is said once."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


def scaled(scale):
    def distance(y_true, y_pred):
        return scale * tf.sqrt(tf.reduce_mean(tf.square(y_true - y_pred)))

    return distance


model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", loss=scaled(2.0))
model.fit(np.ones((100, 3)), np.ones((100, 1)), batch_size=10)
