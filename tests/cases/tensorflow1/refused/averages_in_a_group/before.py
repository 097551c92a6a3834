"""Averages of the weights in one run with the step: before it on one process, after it on another."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
data = np.load("data.npy")
labels = np.load("labels.npy")
x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None, 1])
rate = tf.placeholder(tf.float32, [])
loss = tf.reduce_mean(tf.square(y - tf.layers.dense(x, 1)))
good = tf.reduce_sum(tf.cast(tf.abs(y) < 0.1, tf.float32))
train = tf.train.AdamOptimizer(rate).minimize(loss)
averages = tf.train.ExponentialMovingAverage(0.9)
both = tf.group(train, averages.apply(tf.trainable_variables()))

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(200):
        batch = {x: data[i % 10 :: 10], y: labels[i % 10 :: 10], rate: 0.1}
        sess.run(both, batch)
