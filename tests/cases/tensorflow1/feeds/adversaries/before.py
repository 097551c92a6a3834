"""Two networks and two optimizers: noise is drawn alike everywhere, and each process feeds its part of it."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
data = np.load("data.npy")


def draw(rows, columns):
    return np.random.uniform(-1.0, 1.0, size=[rows, columns])


x = tf.placeholder(tf.float32, shape=[None, 16])
z = tf.placeholder(tf.float32, shape=[None, 4])
of_maker = [tf.Variable(tf.random_normal([4, 16])), tf.Variable(tf.zeros([16]))]
of_judge = [tf.Variable(tf.random_normal([16, 1])), tf.Variable(tf.zeros([1]))]


def judge(image):
    return tf.matmul(image, of_judge[0]) + of_judge[1]


made = tf.nn.sigmoid(tf.matmul(z, of_maker[0]) + of_maker[1])
real, fake = judge(x), judge(made)
judge_loss = tf.reduce_mean(tf.nn.softplus(-real) + tf.nn.softplus(fake))
maker_loss = tf.reduce_mean(tf.nn.softplus(-fake))
judge_step = tf.train.AdamOptimizer().minimize(judge_loss, var_list=of_judge)
maker_step = tf.train.AdamOptimizer().minimize(maker_loss, var_list=of_maker)

sess = tf.Session()
sess.run(tf.global_variables_initializer())
for i in range(1000):
    rows = data[i * 32 % len(data) :][:32]
    _, judged = sess.run([judge_step, judge_loss], feed_dict={x: rows, z: draw(32, 4)})
    _, fooled = sess.run([maker_step, maker_loss], feed_dict={z: draw(32, 4)})
    if i % 100 == 0:
        print(i, judged, fooled)
        print("sample", sess.run(made, feed_dict={z: draw(1, 4)}))
