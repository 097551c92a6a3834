"""A variable is changed, or not, by what each process has computed for itself."""

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
scale = tf.get_variable("scale", initializer=1.0)
halve = scale.assign(scale * 0.5)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(200):
        batch = {x: data[i % 10 :: 10], y: labels[i % 10 :: 10], rate: 0.1}
        sess.run(train, batch)
        if sess.run(loss, {x: data, y: labels}) > 1:
            sess.run(halve)
