"""Summaries of a training step show the whole batch where they are numbers, and are written once."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
data = np.load("data.npy")
x = tf.placeholder(tf.float32, [None, 3])
w = tf.Variable(tf.ones([3, 1]))
out = tf.matmul(x, w)
with tf.name_scope("loss"):
    loss = tf.reduce_mean(tf.square(out - 1.0))
train = tf.train.AdamOptimizer(0.1).minimize(loss)
tf.summary.scalar("loss", loss)
tf.summary.histogram("out", out)
tf.summary.histogram("weights", w)
merged = tf.summary.merge_all()

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    writer = tf.summary.FileWriter("logs", graph=sess.graph)
    for i in range(200):
        _, value, text = sess.run([train, loss, merged], feed_dict={x: data[i % 10 :: 10]})
        writer.add_summary(text, i)
        if i % 50 == 0:
            print(i, value)
