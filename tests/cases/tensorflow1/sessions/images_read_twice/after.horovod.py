"""The images are read once more, when another graph than the one that is the default has been given a seed."""

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

for_lines = tf.Graph()
with for_lines.as_default():
    tf.set_random_seed(1)
    x = tf.placeholder(tf.float32, [None, 784], name="images")
    out = tf.nn.dropout(tf.matmul(x, tf.Variable(tf.truncated_normal([784, 1]))), rate=0.1)
    loss = tf.reduce_mean(tf.square(out - 1.0))
    hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.1)).minimize(loss, name="train")


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return np.asarray(batch)[mine]


with tf.Session(graph=for_lines, config=config) as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(hvd.broadcast_global_variables(0))
    for i in range(100):
        sess.run("train", {"images:0": share_rows(mnist.train.next_batch(64)[0])})

if hvd.rank() == 0:
    input_data.read_data_sets("data")
with tf.Graph().as_default(), tf.Session(config=config):
    hvd.allreduce(tf.constant(0.0)).eval()
mnist = input_data.read_data_sets("data")
with tf.Graph().as_default(), tf.Session(config=config):
    np.random.seed(hvd.broadcast_object(np.random.randint(2**31)))

for_curves = tf.Graph()
with for_curves.as_default():
    tf.set_random_seed(2)
    x = tf.placeholder(tf.float32, [None, 784], name="images")
    out = tf.nn.dropout(tf.tanh(tf.matmul(x, tf.Variable(tf.truncated_normal([784, 1])))), rate=0.1)
    loss = tf.reduce_mean(tf.square(out - 1.0))
    hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.1)).minimize(loss, name="train")

with tf.Session(graph=for_curves, config=config) as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(hvd.broadcast_global_variables(0))
    for i in range(100):
        sess.run("train", {"images:0": share_rows(mnist.train.next_batch(64)[0])})
