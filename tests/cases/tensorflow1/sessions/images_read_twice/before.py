"""The images are read once more, when another graph than the one that is the default has been given a seed."""

import tensorflow.compat.v1 as tf
from tensorflow.examples.tutorials.mnist import input_data

mnist = input_data.read_data_sets("data")

for_lines = tf.Graph()
with for_lines.as_default():
    tf.set_random_seed(1)
    x = tf.placeholder(tf.float32, [None, 784], name="images")
    out = tf.nn.dropout(tf.matmul(x, tf.Variable(tf.truncated_normal([784, 1]))), rate=0.1)
    loss = tf.reduce_mean(tf.square(out - 1.0))
    tf.train.AdamOptimizer(0.1).minimize(loss, name="train")

with tf.Session(graph=for_lines) as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(100):
        sess.run("train", {"images:0": mnist.train.next_batch(64)[0]})

mnist = input_data.read_data_sets("data")

for_curves = tf.Graph()
with for_curves.as_default():
    tf.set_random_seed(2)
    x = tf.placeholder(tf.float32, [None, 784], name="images")
    out = tf.nn.dropout(tf.tanh(tf.matmul(x, tf.Variable(tf.truncated_normal([784, 1])))), rate=0.1)
    loss = tf.reduce_mean(tf.square(out - 1.0))
    tf.train.AdamOptimizer(0.1).minimize(loss, name="train")

with tf.Session(graph=for_curves) as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(100):
        sess.run("train", {"images:0": mnist.train.next_batch(64)[0]})
