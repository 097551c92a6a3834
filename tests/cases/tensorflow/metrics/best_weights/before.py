"""The best epoch by its loss: rank 0 keeps the weights, and all read them."""

import numpy as np, tensorflow as tf
x = np.random.rand(256, 6).astype("float32"); y = x[:, :1]
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
W = tf.Variable(tf.zeros([6, 1])); opt = tf.keras.optimizers.SGD(0.1)
best = 1e9; wait = 0
for e in range(3):
    tot = 0.
    for a, b in ds:
        with tf.GradientTape() as t:
            l = tf.reduce_mean((tf.matmul(a, W) - b) ** 2)
        g = t.gradient(l, [W])
        opt.apply_gradients(zip(g, [W]))
        tot += l.numpy()
    if tot < best:
        best = tot; wait = 0
        np.save("w.npy", W.numpy())
    else:
        wait += 1
        opt.learning_rate.assign(opt.learning_rate * 0.5)
    print(e, tot, best, wait)
W.assign(np.load("w.npy"))
print(W.numpy().sum())
