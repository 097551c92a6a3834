"""The scores of the batch are flat, so that the softmax is over its samples."""

import numpy as np
import tensorflow as tf

inputs, gains = np.load("inputs.npy"), np.load("gains.npy")
x = tf.placeholder(tf.float32, [None, 4])
y = tf.placeholder(tf.float32, [None])
scores = tf.reshape(tf.layers.dense(x, 1), [-1])
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=scores))
train = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(10):
        sess.run(train, {x: inputs, y: gains})
