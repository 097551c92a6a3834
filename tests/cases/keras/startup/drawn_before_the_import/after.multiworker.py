"""Data that is read, printed and shuffled before Keras is imported."""

import os

import numpy as np
import tensorflow as tf
import tensorflow.keras.utils as utils

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"


def load():
    """Samples and targets."""
    if strategy.extended.should_checkpoint:
        print("reading")
    return np.load("x.npy"), np.load("y.npy")


strategy = tf.distribute.MultiWorkerMirroredStrategy()
utils.set_random_seed(1)
x, y = load()
order = np.random.permutation(len(x))
x, y = x[order], y[order]
x_train, y_train, x_test, y_test = x[100:], y[100:], x[:100], y[:100]

from tensorflow import keras

with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("adam", loss="mse")
model.fit(
    x_train,
    y_train,
    batch_size=8,
    validation_data=(x_test, y_test),
    verbose=1 if strategy.extended.should_checkpoint else 0,
)
