"""A loss of one number a sample, whose gradients TensorFlow adds up: a strategy's sum is right, an average is not."""

import numpy as np
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
x, y = np.zeros((64, 8)), np.zeros((64, 1))
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", loss=keras.losses.MeanSquaredError(reduction="none"))
model.fit(x, y, batch_size=16, verbose=1 if strategy.extended.should_checkpoint else 0)
