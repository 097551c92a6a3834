"""A metric that keeps a maximum: a strategy adds up the maxima of its devices; one that adds is exact."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


class Largest(keras.metrics.Metric):
    def __init__(self):
        super().__init__(name="largest")
        self.value = self.add_weight(name="value", initializer="zeros")

    def update_state(self, targets, predictions, sample_weight=None):
        self.value.assign(tf.maximum(self.value, tf.reduce_max(tf.abs(targets - predictions))))

    def result(self):
        return self.value


class Mean(keras.metrics.Metric):
    def __init__(self):
        super().__init__(name="own_mean")
        self.total = self.add_weight(name="total", initializer="zeros")
        self.count = self.add_weight(name="count", initializer="zeros")

    def update_state(self, targets, predictions, sample_weight=None):
        self.total.assign(self.total + tf.reduce_sum(predictions))
        self.count.assign_add(tf.cast(tf.size(predictions), tf.float32))

    def result(self):
        return self.total / self.count


strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
x, y = np.zeros((64, 4)), np.zeros((64, 1))
with strategy.scope():
    first = keras.Sequential([keras.layers.Dense(1)])
    first.compile(optimizer="sgd", loss="mse", metrics=[Mean()])
first.fit(x, y, batch_size=16, verbose=1 if strategy.extended.should_checkpoint else 0)
with strategy.scope():
    second = keras.Sequential([keras.layers.Dense(1)])
    second.compile(optimizer="sgd", loss="mse", metrics=[Mean(), Largest()])
second.fit(x, y, batch_size=16, verbose=1 if strategy.extended.should_checkpoint else 0)
