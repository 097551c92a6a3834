"""One function draws batches to train on and, now and then, others to validate on: these stay whole."""

import numpy as np
import tensorflow as tf
x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(6,))])
opt = tf.keras.optimizers.SGD(0.1)
mse = tf.keras.losses.MeanSquaredError()
def step(a, b):
    with tf.GradientTape() as t:
        l = mse(b, model(a))
    opt.apply_gradients(zip(t.gradient(l, model.trainable_variables), model.trainable_variables))
    return l
def get_batch(x, y, n):
    i = np.random.randint(0, len(x), n)
    return x[i], y[i]
for s in range(10):
    a, b = get_batch(x, y, 32)
    l = step(a, b)
    if s % 5 == 0:
        va, vb = get_batch(x[:50], y[:50], 20)
        print(s, float(l), float(mse(vb, model(va))))
