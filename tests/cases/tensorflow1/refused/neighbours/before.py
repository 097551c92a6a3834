"""A product with a table of all samples lets them meet."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
data = np.load("data.npy")
x = tf.placeholder(tf.float32, [None, 3])
near = tf.placeholder(tf.float32, [None, None])
w = tf.Variable(tf.ones([3, 1]))
out = tf.matmul(tf.matmul(near, x), w)
loss = tf.reduce_mean(tf.square(out - 1.0))
train = tf.train.AdamOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(200):
        sess.run(train, {x: data, near: np.eye(len(data))})
