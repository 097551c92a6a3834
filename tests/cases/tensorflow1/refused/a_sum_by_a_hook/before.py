"""A hook looks at a sum in every run, also in one that is fed the whole on each process."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
data = np.load("data.npy")
labels = np.load("labels.npy")
x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None, 1])
total = tf.reduce_sum(tf.square(y - tf.layers.dense(x, 1)))
train = tf.train.AdamOptimizer(0.01).minimize(total)
hooks = [tf.train.LoggingTensorHook({"total": total}, every_n_iter=10)]

with tf.train.MonitoredTrainingSession(hooks=hooks) as sess:
    for i in range(200):
        sess.run(train, {x: data[i % 10 :: 10], y: labels[i % 10 :: 10]})
        print(sess.run(total, {x: data, y: labels}))
