"""What is fed comes from files, which TensorFlow lists in the order of the disk."""

import os

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
names = tf.gfile.ListDirectory("data")
data = np.stack([np.load(os.path.join("data", name)) for name in names])

x = tf.placeholder(tf.float32, [None, 8])
weights = tf.Variable(tf.zeros([8, 8]))
loss = tf.reduce_mean(tf.square(tf.matmul(x, weights) - x))
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for start in range(0, 960, 32):
        session.run(step, feed_dict={x: data[start : start + 32]})
