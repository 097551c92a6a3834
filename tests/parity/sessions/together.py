"""Two optimizers in one run, each with gradients that rest on the other's variables, and noise drawn in the graph."""

import numpy as np
import tensorflow.compat.v1 as tf
from sklearn.datasets import load_iris

tf.disable_v2_behavior()
np.random.seed(1)
tf.set_random_seed(2)
data = load_iris().data.astype("float32")
x = tf.placeholder(tf.float32, [None, 4])
maker = tf.Variable(tf.random_normal([3, 4]))
judge = tf.Variable(tf.random_normal([4, 1]))
made = tf.tanh(tf.matmul(tf.random_normal([tf.shape(x)[0], 3]), maker))
judge_loss = tf.reduce_mean(tf.nn.softplus(tf.matmul(made, judge)) + tf.nn.softplus(-tf.matmul(x, judge)))
maker_loss = tf.reduce_mean(tf.nn.softplus(-tf.matmul(made, judge)))
judge_step = tf.train.AdamOptimizer(0.1).minimize(judge_loss, var_list=[judge])
maker_step = tf.train.AdamOptimizer(0.1).minimize(maker_loss, var_list=[maker])

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for number in range(12):
        rows = np.random.permutation(len(data))[:30]
        _, _, lost, fooled = session.run([judge_step, maker_step, judge_loss, maker_loss], {x: data[rows]})
        print(number, lost, fooled)
