"""A session is made for a graph that is not the one in use."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
data = np.load("data.npy")
graph = tf.Graph()
with graph.as_default():
    x = tf.placeholder(tf.float32, [None, 3])
    w = tf.Variable(tf.ones([3, 1]))
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1.0))
    train = tf.train.AdamOptimizer(0.1).minimize(loss)
    init = tf.global_variables_initializer()

sess = tf.Session(graph=graph)
sess.run(init)
for i in range(200):
    sess.run(train, {x: data[i % 10 :: 10]})
