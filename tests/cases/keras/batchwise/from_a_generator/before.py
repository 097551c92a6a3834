"""Batches out of a generator and out of a pipeline; nothing of what comes back is used."""

import numpy as np
import tensorflow as tf


def batches(x, y):
    while True:
        rows = np.random.permutation(len(x))[:32]
        yield x[rows], y[rows]


x, y = np.load("x.npy"), np.load("y.npy")
model = tf.keras.Sequential([tf.keras.layers.Dense(1), tf.keras.layers.Dropout(0.5)])
model.compile("sgd", "mse")
source = batches(x, y)
for step in range(100):
    inputs, targets = next(source)
    model.train_on_batch(inputs, targets)
for inputs, targets in tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).batch(32):
    model.train_on_batch(inputs, targets)
