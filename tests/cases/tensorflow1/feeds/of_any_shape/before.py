"""A placeholder without a shape that is fed a column, as the predictions are."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
data, labels = np.ones((100, 3)), np.ones((100, 1))
x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32)
out = tf.layers.dense(x, 1)
loss = tf.reduce_mean(tf.square(y - out))
train = tf.train.AdamOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(200):
        chosen = np.random.choice(100, 10)
        sess.run(train, {x: data[chosen], y: labels[chosen]})
