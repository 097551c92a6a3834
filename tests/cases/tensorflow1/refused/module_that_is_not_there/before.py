"""A module of the script's own cannot be found, which may write files on every process."""

import numpy as np
import tensorflow.compat.v1 as tf

from fetching import fetch_the_images

tf.disable_v2_behavior()
fetch_the_images("data.npy")
data = np.load("data.npy")
x = tf.placeholder(tf.float32, [None, 3])
w = tf.Variable(tf.ones([3, 1]))
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1.0))
train = tf.train.AdamOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(200):
        sess.run(train, {x: data[i % 10 :: 10]})
