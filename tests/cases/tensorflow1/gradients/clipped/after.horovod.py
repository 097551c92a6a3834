"""Gradients that are clipped before they are applied: those of compute_gradients, and those of tf.gradients."""

import numpy as np
import tensorflow.compat.v1 as tf
import horovod.tensorflow as hvd

tf.disable_v2_behavior()
hvd.init()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.visible_device_list = str(hvd.local_rank())
data = np.load("data.npy")
x = tf.placeholder(tf.float32, [None, 3])
w = tf.Variable(tf.ones([3, 1]))
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1.0))

optimizer = tf.train.AdamOptimizer(0.1)
optimizer = hvd.DistributedOptimizer(optimizer)
clipped = [(tf.clip_by_value(g, -1.0, 1.0), v) for g, v in optimizer.compute_gradients(loss)]
train = optimizer.apply_gradients(clipped)

variables = tf.trainable_variables()
gradients, _ = tf.clip_by_global_norm([hvd.allreduce(gradient) for gradient in tf.gradients(loss, variables)], 5.0)
again = tf.train.GradientDescentOptimizer(0.1).apply_gradients(zip(gradients, variables))


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return np.asarray(batch)[mine]


with tf.Session(config=config) as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(hvd.broadcast_global_variables(0))
    for i in range(200):
        sess.run(train, {x: share_rows(data[i % 10 :: 10])})
        sess.run(again, {x: share_rows(data[i % 10 :: 10])})
