"""A layer draws random numbers also when the model is evaluated, and training ends by that."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


class Sampling(keras.layers.Layer):
    def call(self, inputs):
        return inputs + tf.random.normal(tf.shape(inputs))


strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
x, y = np.zeros((64, 8)), np.zeros((64, 1))
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(4), Sampling(), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
for _ in range(10):
    model.fit(x, y, batch_size=16, verbose=1 if strategy.extended.should_checkpoint else 0)
    if model.evaluate(x, y, verbose=1 if strategy.extended.should_checkpoint else 0) < 0.1:
        break
