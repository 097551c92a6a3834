"""What a function is not given, it chooses itself: here a function that lets the samples of a batch meet."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
data = np.load("data.npy")


def centred(x):
    return x - tf.reduce_mean(x, axis=0)


def dense(inputs, units, activation=None):
    act = tf.matmul(inputs, tf.Variable(tf.ones([3, units])))
    if activation is None:
        activation = centred
    if activation is not None:
        act = activation(act)
    return act


x = tf.placeholder(tf.float32, [None, 3])
loss = tf.reduce_mean(tf.square(dense(x, 1) - 1.0))
train = tf.train.AdamOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(200):
        sess.run(train, {x: data[i % 10 :: 10]})
