"""A loss is printed before training, when no weights are sent yet: all processes make the same model."""

import numpy as np
import tensorflow as tf
x = np.load("x.npy")
train = tf.data.Dataset.from_tensor_slices(x).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Input((8,)), tf.keras.layers.Dense(8)])
optimizer = tf.keras.optimizers.SGD()
total = 0.0
for batch in train:
    total += float(tf.reduce_mean(tf.square(model(batch) - batch)))
print("before", total)
for epoch in range(2):
    for batch in train:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(batch) - batch))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
