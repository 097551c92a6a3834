"""Each sample is given what its neighbours have, by a product with a table of all samples."""

import numpy as np
import tensorflow as tf

x = np.load("x.npy")
y = np.load("y.npy")
neighbours = np.load("neighbours.npy")
model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(4)])
optimizer = tf.keras.optimizers.Adam()
measure = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

for step in range(1000):
    with tf.GradientTape() as tape:
        loss = measure(y, model(neighbours @ x))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
