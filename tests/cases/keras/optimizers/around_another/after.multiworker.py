"""An optimizer that keeps averages around another one."""

import numpy as np
import tensorflow_addons as tfa
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
x, y = np.zeros((64, 8)), np.zeros((64, 1))
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile(tfa.optimizers.MovingAverage(keras.optimizers.legacy.SGD(0.1)), "mse")
model.fit(x, y, batch_size=16, verbose=1 if strategy.extended.should_checkpoint else 0)
