"""A dict that other runs are fed too is cut where the training step is fed, and stays whole for the others."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
data = np.load("data.npy")
x = tf.placeholder(tf.float32, [None, 3])
w = tf.Variable(tf.ones([3, 1]))
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1.0))
train = tf.train.AdamOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(200):
        feed = {x: data[i % 10 :: 10]}
        sess.run(train, feed_dict=feed)
        if i % 50 == 0:
            print(i, sess.run(loss, feed_dict=feed))
