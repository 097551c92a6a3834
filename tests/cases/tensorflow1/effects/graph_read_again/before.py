"""A frozen graph is written once, and read when it is there."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
np.random.seed(0)
xs = np.random.rand(256, 8).astype("float32")
ys = xs.sum(axis=1, keepdims=True)
with open("labels.txt", "w") as file:
    file.write("one\ntwo\n")
with open("labels.txt") as file:
    print(file.read().split())
x = tf.placeholder(tf.float32, [None, 8])
y = tf.placeholder(tf.float32, [None, 1])
weights = tf.Variable(tf.zeros([8, 1]))
loss = tf.reduce_mean(tf.square(tf.matmul(x, weights, name="prediction") - y))
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for start in range(0, 256, 32):
        session.run(step, feed_dict={x: xs[start : start + 32], y: ys[start : start + 32]})
    frozen = tf.graph_util.convert_variables_to_constants(session, session.graph.as_graph_def(), ["prediction"])
with tf.gfile.FastGFile("frozen.pb", "wb") as file:
    file.write(frozen.SerializeToString())
read = tf.GraphDef()
with tf.gfile.FastGFile("frozen.pb", "rb") as file:
    read.ParseFromString(file.read())
print(len(read.node))
