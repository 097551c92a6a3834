"""What is made for the size of a batch is used in a run that does not train, which is fed the whole batch."""

import tensorflow.compat.v1 as tf
from tensorflow.examples.tutorials.mnist import input_data

mnist = input_data.read_data_sets("data")
size = 64
x = tf.placeholder(tf.float32, [None, 784])
w = tf.Variable(tf.ones([784, 1]))
noise = tf.random_uniform([size, 1])
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - noise))
train = tf.train.AdamOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(200):
        images, _ = mnist.train.next_batch(size)
        sess.run(train, {x: images})
        print(i, sess.run(loss, {x: images}))
