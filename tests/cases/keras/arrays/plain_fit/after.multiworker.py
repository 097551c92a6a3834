"""Arrays: batch 128 is shared out, every process trains on every N-th sample."""

import numpy as np
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
x_train = np.random.default_rng(0).normal(size=(1000, 16))
y_train = x_train.sum(1)

with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
    model.compile(optimizer=keras.optimizers.SGD(0.1), loss="mse")
model.fit(x_train, y_train, batch_size=128, epochs=3, verbose=1 if strategy.extended.should_checkpoint else 0)
