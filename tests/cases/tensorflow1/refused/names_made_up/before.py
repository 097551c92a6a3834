"""Names are made up as the graph is made, so that any part may have the one that is fetched."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
data = np.load("data.npy")
x = tf.placeholder(tf.float32, [None, 3], name="features")
w = tf.Variable(tf.ones([3, 1]))
errors = [tf.reduce_max(tf.square(tf.matmul(x, w) - k), name="loss" + "_%d" % k) for k in range(2)]
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1.0), name="loss")
train = tf.train.AdamOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(200):
        _, value = sess.run([train, "loss:0"], {x: data[i % 10 :: 10]})
        print(i, value)
