"""Two samples that stand one behind another are taken for a pair."""

import numpy as np
import tensorflow as tf

dataset = tf.data.Dataset.from_tensor_slices(np.load("x.npy")).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(32), tf.keras.layers.Dense(16)])
optimizer = tf.keras.optimizers.SGD(0.01)

for epoch in range(3):
    for inputs in dataset:
        with tf.GradientTape() as tape:
            pairs = tf.reshape(model(inputs), [-1, 2, 16])
            loss = tf.reduce_mean(tf.square(pairs[:, 0] - pairs[:, 1]))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
