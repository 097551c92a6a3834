"""A function that divides by the batch size is called with the whole batches of a test, too."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
test = tf.data.Dataset.from_tensor_slices((x[:64], y[:64])).batch(32)
inputs = tf.keras.Input((6,))
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs))
opt = tf.keras.optimizers.SGD(0.1)
mse = tf.keras.losses.MeanSquaredError()


def loss(a, b):
    return mse(b, model(a)) + tf.reduce_sum(tf.abs(model(a))) / 32


for a, b in ds:
    with tf.GradientTape() as t:
        l = loss(a, b)
    g = t.gradient(l, model.trainable_variables)
    opt.apply_gradients(zip(g, model.trainable_variables))
for a, b in test:
    print(float(loss(a, b)))
