"""Summaries of a training step show the whole batch where they are numbers, and are written once."""

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
with tf.name_scope("loss"):
    loss = tf.reduce_mean(tf.square(out - 1.0))
    mean_loss = hvd.allreduce(loss)
train = hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.1)).minimize(loss)
tf.summary.scalar("loss", hvd.allreduce(loss))
tf.summary.histogram("out", out)
tf.summary.histogram("weights", w)
merged = tf.summary.merge_all()


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return np.asarray(batch)[mine]


with tf.Session(config=config) as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(hvd.broadcast_global_variables(0))
    writer = tf.summary.FileWriter("logs", graph=sess.graph) if hvd.rank() == 0 else None
    for i in range(200):
        _, value, text = sess.run([train, mean_loss, merged], feed_dict={x: share_rows(data[i % 10 :: 10])})
        if hvd.rank() == 0:
            writer.add_summary(text, i)
        if i % 50 == 0:
            if hvd.rank() == 0:
                print(i, value)
