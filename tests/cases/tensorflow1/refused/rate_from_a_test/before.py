"""The learning rate follows what each process computes for itself."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
data = np.load("data.npy")
x = tf.placeholder(tf.float32, [None, 3])
w = tf.Variable(tf.ones([3, 1]))
out = tf.matmul(x, w)
loss = tf.reduce_mean(tf.square(out - 1.0))
rate = tf.placeholder(tf.float32, [])
train = tf.train.GradientDescentOptimizer(rate).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(200):
        error = sess.run(loss, {x: data[:100]})
        sess.run(train, {x: data[i % 10 :: 10], rate: 0.1 * error})
