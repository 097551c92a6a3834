"""A run is fed the batch that the graph would draw."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
dataset = tf.data.Dataset.from_tensor_slices(np.load("data.npy")).repeat().batch(64)
x = dataset.make_one_shot_iterator().get_next()
w = tf.Variable(tf.ones([3, 1], tf.float64))
errors = tf.square(tf.matmul(x, w) - 1.0)
loss = tf.reduce_mean(errors)
train = tf.train.AdamOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(200):
        sess.run(train)
    value = sess.run(loss, {x: np.load("test.npy")})
    print(value)
