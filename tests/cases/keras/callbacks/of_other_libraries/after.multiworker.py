"""A callback of a library around Keras, which every process has."""

import numpy as np
from keras_contrib.callbacks import CyclicLR
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
x, y = np.zeros((64, 8)), np.zeros((64, 1))
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1, input_shape=(8,))])
    model.compile(keras.optimizers.rmsprop(0.01), loss="mse")
model.fit(
    x,
    y,
    batch_size=16,
    callbacks=[CyclicLR(base_lr=0.001, max_lr=0.01)],
    verbose=1 if strategy.extended.should_checkpoint else 0,
)
