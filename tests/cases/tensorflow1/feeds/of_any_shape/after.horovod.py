"""A placeholder without a shape that is fed a column, as the predictions are."""

import numpy as np
import tensorflow.compat.v1 as tf
import horovod.tensorflow as hvd

tf.disable_v2_behavior()
hvd.init()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.visible_device_list = str(hvd.local_rank())
with tf.Graph().as_default(), tf.Session(config=config):
    np.random.seed(hvd.broadcast_object(np.random.randint(2**31)))
data, labels = np.ones((100, 3)), np.ones((100, 1))
x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32)
out = tf.layers.dense(x, 1)
loss = tf.reduce_mean(tf.square(y - out))
train = hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.1)).minimize(loss)


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return np.asarray(batch)[mine]


with tf.Session(config=config) as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(hvd.broadcast_global_variables(0))
    for i in range(200):
        chosen = np.random.choice(100, 10)
        sess.run(train, {x: share_rows(data[chosen]), y: share_rows(labels[chosen])})
