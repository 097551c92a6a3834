"""Batch normalisation keeps averages for itself, with which the script tests."""

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
training = tf.placeholder(tf.bool)
w = tf.Variable(tf.ones([3, 4]))
hidden = tf.nn.relu(tf.layers.batch_normalization(tf.matmul(x, w), training=training))
out = tf.layers.dense(hidden, 1)
loss = tf.reduce_mean(tf.square(out - 1.0))
mean_loss = hvd.allreduce(loss)
with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
    train = hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.1)).minimize(loss)
saver = tf.train.Saver()


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return np.asarray(batch)[mine]


with tf.Session(config=config) as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(hvd.broadcast_global_variables(0))
    for i in range(200):
        _, value = sess.run([train, mean_loss], {x: share_rows(data[i % 10 :: 10]), training: True})
        if i % 50 == 0:
            if hvd.rank() == 0:
                print(i, value, sess.run(loss, {x: data, training: False}))
    if hvd.rank() == 0:
        saver.save(sess, "model.ckpt")
