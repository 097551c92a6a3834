"""TensorFlow is imported behind the first statement that does something."""

from tensorflow.examples.tutorials.mnist import input_data

mnist = input_data.read_data_sets("data")

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
x = tf.placeholder(tf.float32, [None, 784])
w = tf.Variable(tf.ones([784, 1]))
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1.0))
train = tf.train.AdamOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(200):
        images, _ = mnist.train.next_batch(64)
        sess.run(train, {x: images})
