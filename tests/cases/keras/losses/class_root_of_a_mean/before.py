"""A loss that is a class, in a method that it inherits: the root of an average has no parts."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


class Distance(keras.losses.Loss):
    def call(self, y_true, y_pred):
        return self.length(y_true - y_pred)

    def length(self, difference):
        return tf.sqrt(tf.reduce_mean(tf.square(difference)))


class Deviation(Distance):
    pass


model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", loss=Deviation())
model.fit(np.ones((100, 3)), np.ones((100, 1)), batch_size=10)
