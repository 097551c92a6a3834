"""What is fed comes from files, which TensorFlow lists in the order of the disk."""

import os

import numpy as np
import tensorflow.compat.v1 as tf
import horovod.tensorflow as hvd

tf.disable_v2_behavior()
hvd.init()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.visible_device_list = str(hvd.local_rank())
names = sorted(tf.gfile.ListDirectory("data"))
data = np.stack([np.load(os.path.join("data", name)) for name in names])

x = tf.placeholder(tf.float32, [None, 8])
weights = tf.Variable(tf.zeros([8, 8]))
loss = tf.reduce_mean(tf.square(tf.matmul(x, weights) - x))
step = hvd.DistributedOptimizer(tf.train.GradientDescentOptimizer(0.1)).minimize(loss)


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return np.asarray(batch)[mine]


with tf.Session(config=config) as session:
    session.run(tf.global_variables_initializer())
    session.run(hvd.broadcast_global_variables(0))
    for start in range(0, 960, 32):
        session.run(step, feed_dict={x: share_rows(data[start : start + 32])})
