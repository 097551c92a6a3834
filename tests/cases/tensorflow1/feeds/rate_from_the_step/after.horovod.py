"""The rate follows the loss that the training step gives, which is averaged: equal on all processes."""

import numpy as np
import tensorflow.compat.v1 as tf
import horovod.tensorflow as hvd

tf.disable_v2_behavior()
hvd.init()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.visible_device_list = str(hvd.local_rank())
data = np.load("data.npy")
labels = np.load("labels.npy")
x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None, 1])
rate = tf.placeholder(tf.float32, [])
loss = tf.reduce_mean(tf.square(y - tf.layers.dense(x, 1)))
mean_loss = hvd.allreduce(loss)
train = hvd.DistributedOptimizer(tf.train.AdamOptimizer(rate)).minimize(loss)
speed = 0.1


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return np.asarray(batch)[mine]


with tf.Session(config=config) as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(hvd.broadcast_global_variables(0))
    for i in range(200):
        _, value = sess.run(
            [train, mean_loss], {x: share_rows(data[i % 10 :: 10]), y: share_rows(labels[i % 10 :: 10]), rate: speed}
        )
        speed = 0.9 * speed + 0.01 * value
