"""A mean over some of the samples, also behind a loss: each process has another number of them."""

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
            wanted = labels > 0
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels[wanted], outputs[wanted])
            loss = tf.reduce_mean(losses)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
