"""Each sample is fed by itself."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
data = np.load("data.npy")
x = tf.placeholder("float")
w = tf.Variable(tf.ones([3, 1]))
out = x * w
loss = tf.reduce_mean(tf.square(out - 1.0))
train = tf.train.AdamOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for sample in data:
        sess.run(train, feed_dict={x: sample})
