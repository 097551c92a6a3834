"""A script for the eager mode that TensorFlow 1 had of its own."""

import numpy as np
import tensorflow as tf

tf.enable_eager_execution()
tfe = tf.contrib.eager

x = np.random.RandomState(0).rand(256, 6).astype("float32")
data = tfe.Iterator(tf.data.Dataset.from_tensor_slices(x).repeat().batch(32))
w = tfe.Variable(tf.ones([6, 1]))


def loss(rows):
    return tf.reduce_mean(tf.square(tf.matmul(rows, w) - 1.0))


optimizer = tf.train.AdamOptimizer(0.1)
grad = tfe.implicit_gradients(loss)

for step in range(100):
    rows = data.next()
    optimizer.apply_gradients(grad(rows))
    print(step, loss(rows))
