"""An activation of the script's own, for each number by itself."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


def swish(t):
    return t * tf.sigmoid(t)


strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
x, y = np.zeros((64, 8)), np.zeros((64, 1))
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(4, activation=swish), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
model.fit(x, y, batch_size=16, verbose=1 if strategy.extended.should_checkpoint else 0)
