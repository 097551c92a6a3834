"""The outputs are cut into rows of another width than theirs: samples meet."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
np.random.seed(0)
times = 6
units = 4
width = 2
x = tf.placeholder(tf.float32, [None, times, 1])
y = tf.placeholder(tf.float32, [None, 2])
lengths = tf.placeholder(tf.int32, [None])
w = tf.Variable(tf.random_normal([units, 2]))


def network(x, lengths):
    steps = tf.unstack(x, times, 1)
    outputs, _ = tf.nn.static_rnn(tf.nn.rnn_cell.BasicLSTMCell(units), steps, dtype=tf.float32, sequence_length=lengths)
    outputs = tf.transpose(tf.stack(outputs), [1, 0, 2])
    rows = tf.shape(outputs)[0]
    last = tf.range(0, rows) * times + (lengths - 1)
    return tf.matmul(tf.gather(tf.reshape(outputs, [-1, width]), last), w[:2])


logits = network(x, lengths)
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(logits=logits, labels=y))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
data = np.random.rand(64, times, 1)
long = np.random.randint(1, times + 1, 64)
labels = np.eye(2)[np.random.randint(0, 2, 64)]

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(8):
        rows = slice(8 * i, 8 * i + 8)
        _, value = sess.run([train, loss], {x: data[rows], y: labels[rows], lengths: long[rows]})
        print(i, value)
