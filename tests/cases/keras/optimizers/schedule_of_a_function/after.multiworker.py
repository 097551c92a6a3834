"""A schedule that is given a function, which no configuration holds."""

import numpy as np
import tensorflow_addons as tfa
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
x, y = np.zeros((64, 8)), np.zeros((64, 1))
with strategy.scope():
    rate = tfa.optimizers.CyclicalLearningRate(0.001, 0.1, step_size=8, scale_fn=lambda n: 1 / 2 ** (n - 1))
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile(keras.optimizers.SGD(rate), "mse")
model.fit(x, y, batch_size=16, verbose=1 if strategy.extended.should_checkpoint else 0)
