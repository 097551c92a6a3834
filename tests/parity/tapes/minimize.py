"""An optimizer that computes the gradients of a function itself."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = x.sum(1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
W = tf.Variable(tf.zeros([6, 1]))
b = tf.Variable(tf.zeros([1]))
opt = tf.keras.optimizers.SGD(0.05)
for epoch in range(3):
    for xb, yb in data:

        def loss():
            return tf.reduce_mean(tf.square(tf.matmul(xb, W) + b - yb))

        opt.minimize(loss, [W, b])
    print(epoch, f"{loss():.6f}")
for xb, yb in data:
    opt.minimize(lambda: tf.reduce_sum(tf.square(tf.matmul(xb, W) + b - yb)) / 32, var_list=[W, b])
print("weights", [f"{w:.5f}" for w in W.numpy().ravel()])
