"""Batches by next()."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
inputs = tf.keras.Input((6,))
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs))
opt = tf.keras.optimizers.SGD(0.1)
mse = tf.keras.losses.MeanSquaredError()

it = iter(ds.repeat())
for step in range(20):
    a, b = next(it)
    with tf.GradientTape() as t:
        l = mse(b, model(a))
    opt.apply_gradients(zip(t.gradient(l, model.trainable_variables), model.trainable_variables))
