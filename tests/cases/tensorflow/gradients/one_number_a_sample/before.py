"""A loss that is not reduced: TensorFlow adds up the gradients of its numbers, so they are summed."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
inputs = tf.keras.Input((6,))
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs))
opt = tf.keras.optimizers.SGD(0.1)
mse = tf.keras.losses.MeanSquaredError()

for a, b in ds:
    with tf.GradientTape() as t:
        l = tf.losses.mse(b, model(a))
    g = t.gradient(l, model.trainable_variables)
    opt.apply_gradients(zip(g, model.trainable_variables))
