"""Parts of two graphs go by their names."""

import numpy as np
import tensorflow.compat.v1 as tf
import horovod.tensorflow as hvd

tf.disable_v2_behavior()
hvd.init()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.visible_device_list = str(hvd.local_rank())
np.random.seed(0)
data = np.load("data.npy")
target = data @ np.array([[1.0], [2.0], [3.0]])
keep = 0.8


def dense(inputs, units, activation=None, name="dense"):
    with tf.name_scope(name):
        size = inputs.get_shape().as_list()[1]
        w = tf.Variable(tf.truncated_normal(shape=(size, units), stddev=0.1), name="weights")
        act = tf.matmul(inputs, w)
        if activation is not None:
            act = activation(act, name="active")
        return act


graph = tf.Graph()
with graph.as_default():
    x = tf.placeholder(tf.float32, [None, 3], name="features")
    y = tf.placeholder(tf.float32, [None, 1], name="targets")
    keep_prob = tf.placeholder(tf.float32, None, name="keep_prob")
    hidden = tf.nn.dropout(dense(x, 5, tf.nn.relu, "hidden"), keep_prob=keep_prob)
    out = dense(hidden, 1, name="out")
    cost = tf.reduce_mean(tf.square(out - y), name="cost")
    tf.identity(hvd.allreduce(cost), name="mean_cost")
    train = hvd.DistributedOptimizer(tf.train.GradientDescentOptimizer(0.1)).minimize(cost, name="train")
    error = tf.reduce_mean(tf.abs(out - y), name="error")


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return np.asarray(batch)[mine]


with tf.Session(graph=graph, config=config) as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(hvd.broadcast_global_variables(0))
    for epoch in range(3):
        total = 0.0
        for i in range(10):
            rows = slice(8 * i, 8 * i + 8)
            _, value = sess.run(
                ["train", "mean_cost:0"], feed_dict={"features:0": share_rows(data[rows]), "targets:0": share_rows(target[rows]), "keep_prob:0": keep}
            )
            total += value
        if hvd.rank() == 0:
            print(epoch, total, sess.run("error:0", {"features:0": data, "targets:0": target, "keep_prob:0": 1.0}))
    if hvd.rank() == 0:
        print(sess.run("hidden/active:0", {"features:0": data[:4]}))

other = tf.Graph()
with other.as_default():
    x = tf.placeholder(tf.float32, [None, 3], name="features")
    w = tf.Variable(tf.zeros([3, 1]), name="weights")
    cost = tf.reduce_sum(tf.square(tf.matmul(x, w) - 1.0), name="cost")
    tf.identity(hvd.allreduce(cost, op=hvd.Sum), name="total_cost")
    hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.01), op=hvd.Sum).minimize(cost, name="train")

with tf.Session(graph=other, config=config) as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(hvd.broadcast_global_variables(0))
    for i in range(10):
        _, value = sess.run(["train", "total_cost:0"], feed_dict={"features:0": share_rows(data[8 * i : 8 * i + 8])})
        if hvd.rank() == 0:
            print(i, value)
    if hvd.rank() == 0:
        print(sess.run("weights:0"))
