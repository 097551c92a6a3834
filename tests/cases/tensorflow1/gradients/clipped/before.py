"""Gradients that are clipped before they are applied: those of compute_gradients, and those of tf.gradients."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
data = np.load("data.npy")
x = tf.placeholder(tf.float32, [None, 3])
w = tf.Variable(tf.ones([3, 1]))
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1.0))

optimizer = tf.train.AdamOptimizer(0.1)
clipped = [(tf.clip_by_value(g, -1.0, 1.0), v) for g, v in optimizer.compute_gradients(loss)]
train = optimizer.apply_gradients(clipped)

variables = tf.trainable_variables()
gradients, _ = tf.clip_by_global_norm(tf.gradients(loss, variables), 5.0)
again = tf.train.GradientDescentOptimizer(0.1).apply_gradients(zip(gradients, variables))

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(200):
        sess.run(train, {x: data[i % 10 :: 10]})
        sess.run(again, {x: data[i % 10 :: 10]})
