"""A hook of the script's own may do anything."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


class Stop(tf.train.SessionRunHook):
    def after_run(self, context, values):
        context.request_stop()


data = np.load("data.npy")
x = tf.placeholder(tf.float32, [None, 3])
w = tf.Variable(tf.ones([3, 1]))
out = tf.matmul(x, w)
loss = tf.reduce_mean(tf.square(out - 1.0))
step = tf.train.get_or_create_global_step()
train = tf.train.AdamOptimizer(0.1).minimize(loss, global_step=step)
with tf.train.MonitoredTrainingSession(hooks=[Stop()]) as session:
    while not session.should_stop():
        session.run(train, {x: data})
