"""The largest errors along the samples, which were put last."""

import numpy as np
import tensorflow as tf

inputs, targets = np.load("inputs.npy"), np.load("targets.npy")
x = tf.placeholder(tf.float32, [None, 4])
y = tf.placeholder(tf.float32, [None, 1])
errors = tf.square(tf.layers.dense(x, 1) - y)
hardest, _ = tf.nn.top_k(tf.transpose(errors), 5)
loss = tf.reduce_mean(hardest)
train = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(10):
        sess.run(train, {x: inputs, y: targets})
