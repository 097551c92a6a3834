"""A bar around a loop that runs a session is rank 0's."""

import numpy as np
import tensorflow.compat.v1 as tf
from tqdm import tqdm

tf.disable_v2_behavior()
np.random.seed(0)
xs = np.random.rand(256, 8).astype("float32")
ys = xs.sum(axis=1, keepdims=True)
x = tf.placeholder(tf.float32, [None, 8])
y = tf.placeholder(tf.float32, [None, 1])
loss = tf.reduce_mean(tf.square(tf.matmul(x, tf.Variable(tf.zeros([8, 1]))) - y))
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for epoch in range(2):
        for start in tqdm(range(0, 256, 32)):
            session.run(step, feed_dict={x: xs[start : start + 32], y: ys[start : start + 32]})
    print(session.run(loss, feed_dict={x: xs, y: ys}))
