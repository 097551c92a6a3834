"""A variable has as many numbers as a batch has samples: one for each place in it."""

import tensorflow.compat.v1 as tf
from tensorflow.examples.tutorials.mnist import input_data

mnist = input_data.read_data_sets("data")
size = 64
x = tf.placeholder(tf.float32, [None, 784])
w = tf.Variable(tf.ones([784, 1]))
shift = tf.Variable(0.1 * tf.ones([size, 1]))
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + shift))
train = tf.train.AdamOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(200):
        images, _ = mnist.train.next_batch(size)
        sess.run(train, {x: images})
