"""A model made in one of two branches: the branches go under the scope as one."""

import sys

import numpy as np
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
with strategy.scope():
    if sys.argv[1] == "wide":
        model = keras.Sequential([keras.layers.Dense(100), keras.layers.Dense(1)])
    else:
        model = keras.Sequential([keras.layers.Dense(1)])
x = np.ones((64, 4))
y = x.sum(1)
x -= x.mean()
y -= y.mean()
if strategy.extended.should_checkpoint:
    print(x.shape)
with strategy.scope():
    model.compile("adam", "mse")
model.fit(x, y, epochs=1, verbose=1 if strategy.extended.should_checkpoint else 0)
