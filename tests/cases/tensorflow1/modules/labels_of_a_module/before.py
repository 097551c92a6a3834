"""The inputs are fed, and the labels of all of them, read in the same module, stand in the graph."""

import tensorflow as tf

import points

x = tf.placeholder(tf.float32, [None, 2])
w = tf.Variable(tf.zeros([2, 3]))
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(logits=tf.matmul(x, w), labels=points.labels))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(100):
        sess.run(train, feed_dict={x: points.inputs})
