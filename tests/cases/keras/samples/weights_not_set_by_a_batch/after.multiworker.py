"""The same layer, which is told to leave its weights alone."""

import numpy as np
import tensorflow_addons as tfa
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
x, y = np.zeros((64, 8)), np.zeros((64, 1))
with strategy.scope():
    normalised = tfa.layers.WeightNormalization(keras.layers.Dense(4), data_init=False)
    model = keras.Sequential([normalised, keras.layers.Dense(1)])
    model.compile("sgd", "mse")
model.fit(x, y, batch_size=16, verbose=1 if strategy.extended.should_checkpoint else 0)
