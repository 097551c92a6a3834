"""The pipeline of a graph is given its data when it begins, and other data later."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
data = tf.placeholder(tf.float64, [None, 3])
iterator = tf.data.Dataset.from_tensor_slices(data).repeat().batch(64).make_initializable_iterator()
x = iterator.get_next()
w = tf.Variable(tf.ones([3, 1], tf.float64))
errors = tf.square(tf.matmul(x, w) - 1.0)
loss = tf.reduce_mean(errors)
train = tf.train.AdamOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(iterator.initializer, {data: np.load("data.npy")})
    for i in range(200):
        sess.run(train)
    sess.run(iterator.initializer, {data: np.load("test.npy")})
    print(sess.run(loss))
