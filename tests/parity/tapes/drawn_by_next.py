"""Batches by next(), in steps and in epochs, with labels made once and all data in the last steps."""

import random

import numpy as np
import tensorflow as tf

random.seed(2)
x = np.random.RandomState(0).normal(size=(128, 6)).astype("float32")
batch_size = 16
data = tf.data.Dataset.from_tensor_slices(x).batch(batch_size, drop_remainder=True)
endless = iter(data.repeat())
model = tf.keras.Sequential([tf.keras.layers.Dense(8, "relu", input_shape=(6,)), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.05)
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)
ones = tf.ones([batch_size, 1])
descent = tf.keras.optimizers.SGD(0.05)
slope, offset = tf.Variable(tf.zeros([6, 1])), tf.Variable(tf.zeros([1]))


@tf.function
def step(batch):
    with tf.GradientTape() as tape:
        loss = bce(ones, model(batch)) + tf.reduce_mean(model(batch) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for number in range(20):
    loss = step(next(endless))
    if number % 5 == 0:
        print(f"{number} {float(loss):.6f}")
for epoch in range(2):
    batches = iter(data)
    mean = tf.keras.metrics.Mean()
    for _ in range(8):
        mean.update_state(step(next(batches)))
    print(f"epoch {epoch} {float(mean.result()):.6f}")
y = x.sum(1, keepdims=True)
for _ in range(10):
    with tf.GradientTape() as tape:
        error = tf.reduce_mean(tf.square(tf.matmul(x, slope) + offset - y))
    gradients = tape.gradient(error, [slope, offset])
    descent.apply_gradients(zip(gradients, [slope, offset]))
error = tf.reduce_mean(tf.square(tf.matmul(x, slope) + offset - y))
print(f"error {float(error):.6f}")
