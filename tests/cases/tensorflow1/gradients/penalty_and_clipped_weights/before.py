"""A penalty for the gradient for each sample, and weights that are cut in a run of their own."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
data = np.load("data.npy")
x = tf.placeholder(tf.float32, [None, 3])
weights = [tf.Variable(tf.ones([3, 1])), tf.Variable(tf.ones([1]))]
score = tf.matmul(x, weights[0]) + weights[1]
slope = tf.gradients(score, [x])[0]
penalty = tf.reduce_mean((tf.sqrt(tf.reduce_sum(slope**2, axis=1)) - 1.0) ** 2)
loss = tf.reduce_mean(score) + 10.0 * penalty
train = tf.train.RMSPropOptimizer(0.001).minimize(-loss, var_list=weights)
cut = [w.assign(tf.clip_by_value(w, -0.1, 0.1)) for w in weights]

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(100):
        _, value = sess.run([train, -loss], feed_dict={x: data[i % 10 :: 10]})
        sess.run(cut)
    print("last", value)
