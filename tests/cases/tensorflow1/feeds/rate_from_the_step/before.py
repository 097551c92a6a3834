"""The rate follows the loss that the training step gives, which is averaged: equal on all processes."""

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
speed = 0.1

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(200):
        _, value = sess.run([train, loss], {x: data[i % 10 :: 10], y: labels[i % 10 :: 10], rate: speed})
        speed = 0.9 * speed + 0.01 * value
