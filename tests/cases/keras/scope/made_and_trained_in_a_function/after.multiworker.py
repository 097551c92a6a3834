"""A function makes a model, trains it and gives it back: what it makes stands under the scope, and not its call."""

import numpy as np
from tensorflow import keras
import tensorflow as tf


def make():
    return keras.Sequential([keras.layers.Dense(8), keras.layers.Dense(1)])


def train(rate):
    with strategy.scope():
        model = make()
        model.compile(optimizer=keras.optimizers.SGD(rate), loss="mse")
    model.fit(np.zeros((64, 4)), np.zeros((64, 1)), epochs=2, verbose=1 if strategy.extended.should_checkpoint else 0)
    return model


class Small(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(1)

    def call(self, inputs):
        return self.dense(inputs)


strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
first = train(0.1)
second = train(0.01)
with strategy.scope():
    small = Small()
    small.compile(optimizer="sgd", loss="mse")
small.fit(np.zeros((64, 4)), np.zeros((64, 1)), verbose=1 if strategy.extended.should_checkpoint else 0)
