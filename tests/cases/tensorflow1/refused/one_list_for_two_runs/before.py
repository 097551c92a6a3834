"""One list of what is fetched for a run that trains on a part and one that is fed the whole."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
data = np.load("data.npy")
labels = np.load("labels.npy")
x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None, 1])
rate = tf.placeholder(tf.float32, [])
loss = tf.reduce_mean(tf.square(y - tf.layers.dense(x, 1)))
good = tf.reduce_sum(tf.cast(tf.abs(y) < 0.1, tf.float32))
train = tf.train.AdamOptimizer(rate).minimize(loss)
wanted = [loss, good]

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(200):
        batch = {x: data[i % 10 :: 10], y: labels[i % 10 :: 10], rate: 0.1}
        _, values = sess.run([train, wanted], batch)
        print(values, sess.run(wanted, {x: data, y: labels}))
