"""Noise and labels are made in the graph for as many samples as the whole batch has."""

import tensorflow.compat.v1 as tf
from tensorflow.examples.tutorials.mnist import input_data
import horovod.tensorflow as hvd
import numpy as np

hvd.init()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.visible_device_list = str(hvd.local_rank())
if hvd.rank() == 0:
    input_data.read_data_sets("data")
with tf.Graph().as_default(), tf.Session(config=config):
    hvd.allreduce(tf.constant(0.0)).eval()
mnist = input_data.read_data_sets("data")
with tf.Graph().as_default(), tf.Session(config=config):
    np.random.seed(hvd.broadcast_object(np.random.randint(2**31)))
size = 64
x = tf.placeholder(tf.float32, [None, 784])
w = tf.Variable(tf.ones([784, 2]))
if size % hvd.size() != 0:
    raise SystemExit(f"batch size {size} cannot be shared out over {hvd.size()} processes")
noise = tf.random_uniform([size // hvd.size(), 1])
logits = tf.matmul(x * noise, w)
labels = tf.ones([size // hvd.size()], tf.int32)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
mean_loss = hvd.allreduce(loss)
train = hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.1)).minimize(loss)
weight = tf.reduce_sum(tf.square(w))


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return np.asarray(batch)[mine]


with tf.Session(config=config) as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(hvd.broadcast_global_variables(0))
    for i in range(200):
        images, _ = mnist.train.next_batch(size)
        _, value = sess.run([train, mean_loss], {x: share_rows(images)})
        if hvd.rank() == 0:
            print(i, value, abs(sess.run(weight)))
