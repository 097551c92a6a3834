"""Single variables, two tapes, a gradient penalty, clipping, an endless pipeline, updates without an optimizer."""

import numpy as np
import tensorflow as tf

rng = np.random.RandomState(0)
X = rng.rand(1000, 5).astype("float32")
Y = (X.sum(1, keepdims=True) + 0.1 * rng.randn(1000, 1)).astype("float32")
data = tf.data.Dataset.from_tensor_slices((X, Y)).repeat().batch(50).prefetch(1)

W = tf.Variable(tf.zeros([5, 1]))
b = tf.Variable(0.0)
V = tf.Variable(tf.ones([5, 1]))


def penalty(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        out = tf.tanh(tf.matmul(x, V))
    slope = tape.gradient(out, x)
    return tf.reduce_mean((tf.sqrt(tf.reduce_sum(slope**2, axis=1)) - 1.0) ** 2)


@tf.function
def step(x, y):
    with tf.GradientTape(persistent=True) as first, tf.GradientTape() as second:
        error = tf.reduce_mean(tf.square(tf.matmul(x, W) + b - y))
        other = tf.reduce_sum(tf.square(tf.tanh(tf.matmul(x, V)) - y)) / 50 + 0.0
        regular = 0.1 * penalty(x)
    dW, db = first.gradient(error, W), first.gradient(error, b)
    (dV,) = second.gradient(other, [V])
    W.assign_sub(0.1 * tf.clip_by_norm(dW, 1.0))
    b.assign_sub(0.1 * db)
    V.assign_sub(0.01 * dV)
    return error, other, regular


total = 0.0
for i, (x, y) in enumerate(data.take(60), 1):
    error, other, regular = step(x, y)
    total += error * x.shape[0]
    if i % 20 == 0:
        print(f"{i} {error:.6f} {float(other):.6f} {regular:.6f}")
print("mean", float(total) / 3000)
print("weights", [f"{w:.5f}" for w in W.numpy().ravel()], f"{b.numpy():.5f}", [f"{v:.5f}" for v in V.numpy().ravel()])
