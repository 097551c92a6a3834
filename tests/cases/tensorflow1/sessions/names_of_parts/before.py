"""Parts of two graphs go by their names."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
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
    train = tf.train.GradientDescentOptimizer(0.1).minimize(cost, name="train")
    error = tf.reduce_mean(tf.abs(out - y), name="error")

with tf.Session(graph=graph) as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(3):
        total = 0.0
        for i in range(10):
            rows = slice(8 * i, 8 * i + 8)
            _, value = sess.run(
                ["train", "cost:0"], feed_dict={"features:0": data[rows], "targets:0": target[rows], "keep_prob:0": keep}
            )
            total += value
        print(epoch, total, sess.run("error:0", {"features:0": data, "targets:0": target, "keep_prob:0": 1.0}))
    print(sess.run("hidden/active:0", {"features:0": data[:4]}))

other = tf.Graph()
with other.as_default():
    x = tf.placeholder(tf.float32, [None, 3], name="features")
    w = tf.Variable(tf.zeros([3, 1]), name="weights")
    cost = tf.reduce_sum(tf.square(tf.matmul(x, w) - 1.0), name="cost")
    tf.train.AdamOptimizer(0.01).minimize(cost, name="train")

with tf.Session(graph=other) as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(10):
        _, value = sess.run(["train", "cost:0"], feed_dict={"features:0": data[8 * i : 8 * i + 8]})
        print(i, value)
    print(sess.run("weights:0"))
