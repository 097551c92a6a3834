"""Rows are drawn by the losses of earlier batches, of which each process knows its part."""

import numpy as np
import tensorflow as tf

x = np.load("x.npy")
y = np.load("y.npy")
model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(4)])
optimizer = tf.keras.optimizers.Adam()
measure = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
weights = np.ones(len(x))

for step in range(1000):
    rows = np.random.choice(len(x), 64, p=weights / weights.sum())
    with tf.GradientTape() as tape:
        loss = measure(y[rows], model(x[rows]))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    weights[rows] = loss
