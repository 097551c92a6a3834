"""A frozen graph is written once, and read when it is there."""

import numpy as np
import tensorflow.compat.v1 as tf
import horovod.tensorflow as hvd
import os

tf.disable_v2_behavior()
hvd.init()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.visible_device_list = str(hvd.local_rank())
np.random.seed(0)
xs = np.random.rand(256, 8).astype("float32")
ys = xs.sum(axis=1, keepdims=True)
with open("labels.txt" if hvd.rank() == 0 else os.devnull, "w") as file:
    file.write("one\ntwo\n")
with tf.Graph().as_default(), tf.Session(config=config):
    hvd.allreduce(tf.constant(0.0)).eval()
with open("labels.txt") as file:
    read_result = file.read()
    if hvd.rank() == 0:
        print(read_result.split())
x = tf.placeholder(tf.float32, [None, 8])
y = tf.placeholder(tf.float32, [None, 1])
weights = tf.Variable(tf.zeros([8, 1]))
loss = tf.reduce_mean(tf.square(tf.matmul(x, weights, name="prediction") - y))
step = hvd.DistributedOptimizer(tf.train.GradientDescentOptimizer(0.1)).minimize(loss)


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return np.asarray(batch)[mine]


with tf.Session(config=config) as session:
    session.run(tf.global_variables_initializer())
    session.run(hvd.broadcast_global_variables(0))
    for start in range(0, 256, 32):
        session.run(step, feed_dict={x: share_rows(xs[start : start + 32]), y: share_rows(ys[start : start + 32])})
    frozen = tf.graph_util.convert_variables_to_constants(session, session.graph.as_graph_def(), ["prediction"])
with tf.gfile.FastGFile("frozen.pb" if hvd.rank() == 0 else os.devnull, "wb") as file:
    file.write(frozen.SerializeToString())
read = tf.GraphDef()
with tf.Graph().as_default(), tf.Session(config=config):
    hvd.allreduce(tf.constant(0.0)).eval()
with tf.gfile.FastGFile("frozen.pb", "rb") as file:
    read.ParseFromString(file.read())
if hvd.rank() == 0:
    print(len(read.node))
