"""Batch normalisation with averages in training, too: what each process has seen steers what it computes."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
data = np.load("data.npy")
x = tf.placeholder(tf.float32, [None, 3])
w = tf.Variable(tf.ones([3, 1]))
out = tf.layers.batch_normalization(tf.matmul(x, w), training=True, renorm=True)
loss = tf.reduce_mean(tf.square(out - 1.0))
with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
    train = tf.train.AdamOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(200):
        sess.run(train, {x: data[i % 10 :: 10]})
