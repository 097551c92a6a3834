"""Targets of one dimension meet predictions in a column: each sample is compared with all."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
np.random.seed(0)
x = np.random.rand(320, 6)
y = x.sum(1)
inputs = tf.placeholder(tf.float32, [None, 6])
targets = tf.placeholder(tf.float32, [None])
weights = tf.Variable(tf.zeros([6, 1]))
predictions = tf.matmul(inputs, weights)
loss = tf.reduce_mean(tf.square(predictions - targets))
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(10):
        sess.run(train, feed_dict={inputs: x[step * 32 : step * 32 + 32], targets: y[step * 32 : step * 32 + 32]})
