"""Noise and labels are made in the graph for as many samples as the whole batch has."""

import tensorflow.compat.v1 as tf
from tensorflow.examples.tutorials.mnist import input_data

mnist = input_data.read_data_sets("data")
size = 64
x = tf.placeholder(tf.float32, [None, 784])
w = tf.Variable(tf.ones([784, 2]))
noise = tf.random_uniform([size, 1])
logits = tf.matmul(x * noise, w)
labels = tf.ones([size], tf.int32)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
train = tf.train.AdamOptimizer(0.1).minimize(loss)
weight = tf.reduce_sum(tf.square(w))

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(200):
        images, _ = mnist.train.next_batch(size)
        _, value = sess.run([train, loss], {x: images})
        print(i, value, abs(sess.run(weight)))
