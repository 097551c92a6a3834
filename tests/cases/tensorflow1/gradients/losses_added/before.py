"""Losses are added and weighed by functions."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
data = np.load("data.npy")
x = tf.placeholder(tf.float32, [None, 3])
w = tf.Variable(tf.ones([3, 1]))
out = tf.matmul(x, w)
near = tf.reduce_mean(tf.abs(out - 1.0))
loss = tf.add(tf.reduce_mean(tf.square(out - 1.0)), tf.multiply(0.5, near))
train = tf.train.AdamOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(200):
        _, value = sess.run([train, loss], {x: data[i % 10 :: 10]})
        print(i, value)
