"""Inputs are rows of an array, labels are looked up one by one."""

import random

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(256, 6).astype("float32")
labels = [[float(row.sum() > 3)] for row in x]
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(6,))])
optimizer = tf.keras.optimizers.SGD(0.1)
mse = tf.keras.losses.MeanSquaredError()
for step in range(100):
    rows = np.random.randint(0, len(x), 32)
    inputs, targets = x[rows], [labels[row] for row in rows]
    with tf.GradientTape() as tape:
        loss = mse(targets, model(inputs))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
