"""The rate is taken from a list that gets shorter when each process finds the loss no better."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
data = np.load("data.npy")
labels = np.load("labels.npy")
x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None, 1])
rate = tf.placeholder(tf.float32, [])
loss = tf.reduce_mean(tf.square(y - tf.layers.dense(x, 1)))
train = tf.train.AdamOptimizer(rate).minimize(loss)
speeds, last = [0.1, 0.05, 0.01], 1e9

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(200):
        sess.run(train, {x: data[i % 10 :: 10], y: labels[i % 10 :: 10], rate: speeds[0]})
        value = sess.run(loss, {x: data, y: labels})
        if value > last and len(speeds) > 1:
            speeds.pop(0)
        last = value
