"""Batches cut by hand."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
inputs = tf.keras.Input((6,))
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs))
opt = tf.keras.optimizers.SGD(0.1)
mse = tf.keras.losses.MeanSquaredError()

for i in range(8):
    a, b = x[i*32:(i+1)*32], y[i*32:(i+1)*32]
    with tf.GradientTape() as t:
        l = mse(b, model(a))
    opt.apply_gradients(zip(t.gradient(l, model.trainable_variables), model.trainable_variables))
