"""A graph draws from one pipeline, and later from another."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
images = tf.data.Dataset.from_tensor_slices(np.load("data.npy")).repeat().batch(64)
others = tf.data.Dataset.from_tensor_slices(np.load("test.npy")).batch(64)
iterator = tf.data.Iterator.from_structure(tf.data.get_output_types(images), tf.data.get_output_shapes(images))
x = iterator.get_next()
begin, test = iterator.make_initializer(images), iterator.make_initializer(others)
w = tf.Variable(tf.ones([3, 1], tf.float64))
errors = tf.square(tf.matmul(x, w) - 1.0)
loss = tf.reduce_mean(errors)
train = tf.train.AdamOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(begin)
    for i in range(200):
        sess.run(train)
