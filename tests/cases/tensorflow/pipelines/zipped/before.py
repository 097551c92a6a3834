"""Pipelines that are zipped are shared out batch by batch."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
inputs = tf.keras.Input((6,))
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs))
opt = tf.keras.optimizers.SGD(0.1)
mse = tf.keras.losses.MeanSquaredError()

d1 = tf.data.Dataset.from_tensor_slices(x).batch(32); d2 = tf.data.Dataset.from_tensor_slices(y).batch(32)
for a, b in tf.data.Dataset.zip((d1, d2)):
    with tf.GradientTape() as t:
        l = mse(b, model(a))
    g = t.gradient(l, model.trainable_variables)
    opt.apply_gradients(zip(g, model.trainable_variables))
