"""A monitored session runs a graph that draws its batches."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
dataset = tf.data.Dataset.from_tensor_slices(np.load("data.npy")).repeat().batch(64)
x = dataset.make_one_shot_iterator().get_next()
w = tf.Variable(tf.ones([3, 1], tf.float64))
errors = tf.square(tf.matmul(x, w) - 1.0)
loss = tf.reduce_mean(errors)
train = tf.train.AdamOptimizer(0.1).minimize(loss, global_step=tf.train.get_or_create_global_step())

with tf.train.MonitoredTrainingSession(hooks=[tf.train.StopAtStepHook(last_step=100)]) as sess:
    while not sess.should_stop():
        sess.run(train)
