"""Rank 0 restores variables that are initialised anyway; where they are not, all wait for its file."""

import os

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
out = tf.matmul(x, w)
loss = tf.reduce_mean(tf.square(out - 1.0))
train = hvd.DistributedOptimizer(tf.train.AdagradOptimizer(0.1)).minimize(loss)
saver = tf.train.Saver(max_to_keep=1)


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return np.asarray(batch)[mine]


with tf.Session(config=config) as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(hvd.broadcast_global_variables(0))
    if os.path.exists("model.ckpt.index"):
        if hvd.rank() == 0:
            saver.restore(sess, "model.ckpt")
    sess.run(hvd.broadcast_global_variables(0))
    for i in range(200):
        sess.run(train, {x: share_rows(data[i % 10 :: 10])})
    if hvd.rank() == 0:
        saver.save(sess, "model.ckpt")

with tf.Session(config=config) as sess:
    with tf.Graph().as_default(), tf.Session(config=config):
        hvd.allreduce(tf.constant(0.0)).eval()
    saver.restore(sess, "model.ckpt")
    if hvd.rank() == 0:
        print(sess.run(out, {x: data[:5]}))
