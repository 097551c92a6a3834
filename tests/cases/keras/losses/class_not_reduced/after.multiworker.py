"""A class of losses that leaves the samples apart unless it is told otherwise."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


class Squared(keras.losses.Loss):
    def __init__(self, reduction=keras.losses.Reduction.NONE):
        super().__init__(reduction=reduction)

    def call(self, y_true, y_pred):
        return tf.reduce_mean((y_true - y_pred) ** 2, axis=-1)


strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
x, y = np.zeros((64, 8)), np.zeros((64, 1))
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", Squared())
model.fit(x, y, batch_size=16, verbose=1 if strategy.extended.should_checkpoint else 0)
