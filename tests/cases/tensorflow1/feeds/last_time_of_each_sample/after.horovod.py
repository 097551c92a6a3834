"""Sequences of different lengths: of each, the output at its own last time is taken, by number."""

import numpy as np
import tensorflow.compat.v1 as tf
import horovod.tensorflow as hvd

tf.disable_v2_behavior()
hvd.init()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.visible_device_list = str(hvd.local_rank())
np.random.seed(0)
times = 6
units = 4
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
    return tf.matmul(tf.gather(tf.reshape(outputs, [-1, units]), last), w)


logits = network(x, lengths)
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(logits=logits, labels=y))
mean_loss = hvd.allreduce(loss)
train = hvd.DistributedOptimizer(tf.train.GradientDescentOptimizer(0.1)).minimize(loss)
data = np.random.rand(64, times, 1)
long = np.random.randint(1, times + 1, 64)
labels = np.eye(2)[np.random.randint(0, 2, 64)]


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return np.asarray(batch)[mine]


with tf.Session(config=config) as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(hvd.broadcast_global_variables(0))
    for i in range(8):
        rows = slice(8 * i, 8 * i + 8)
        _, value = sess.run(
            [train, mean_loss],
            {x: share_rows(data[rows]), y: share_rows(labels[rows]), lengths: share_rows(long[rows])},
        )
        if hvd.rank() == 0:
            print(i, value)
