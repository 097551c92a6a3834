"""Labels in a row against predictions in a column make a table: each sample meets all the others."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
data = np.load("data.npy")
labels = np.load("labels.npy")
x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None])
out = tf.layers.dense(x, 1)
loss = tf.reduce_mean(tf.square(y - out))
train = tf.train.AdamOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(200):
        sess.run(train, {x: data[i % 10 :: 10], y: labels[i % 10 :: 10]})
