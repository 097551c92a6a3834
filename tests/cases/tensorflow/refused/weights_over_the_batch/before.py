"""Weights that a softmax makes of one number a sample depend on the whole batch."""

import numpy as np
import tensorflow as tf

x = np.load("x.npy")
y = np.load("y.npy")
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(4)])
optimizer = tf.keras.optimizers.Adam()

for epoch in range(3):
    for samples, labels in data:
        with tf.GradientTape() as tape:
            outputs = model(samples)
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, outputs)
            weights = tf.nn.softmax(losses)
            loss = tf.reduce_sum(weights * losses)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
