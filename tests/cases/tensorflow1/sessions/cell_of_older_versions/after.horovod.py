"""A network of two directions, as it is called in versions before 1.0 too."""

import numpy as np
import tensorflow.compat.v1 as tf
import horovod.tensorflow as hvd

tf.disable_v2_behavior()
hvd.init()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.visible_device_list = str(hvd.local_rank())
tf.set_random_seed(0 + hvd.rank())
np.random.seed(0)
x = tf.placeholder(tf.float32, [None, 5, 3])
y = tf.placeholder(tf.float32, [None, 2])
w = tf.Variable(tf.random_normal([8, 2]))


def network(x):
    steps = tf.unstack(x, 5, 1)
    forward = tf.nn.rnn_cell.BasicLSTMCell(4)
    backward = tf.nn.rnn_cell.BasicLSTMCell(4)
    try:
        outputs, _, _ = tf.nn.static_bidirectional_rnn(forward, backward, steps, dtype=tf.float32)
    except Exception:
        outputs = tf.nn.static_bidirectional_rnn(forward, backward, steps, dtype=tf.float32)
    return tf.matmul(outputs[-1], w)


loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=network(x)))
mean_loss = hvd.allreduce(loss)
train = hvd.DistributedOptimizer(tf.train.GradientDescentOptimizer(0.1)).minimize(loss)
images = np.random.rand(64, 5, 3)
labels = np.eye(2)[np.random.randint(0, 2, 64)]


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return np.asarray(batch)[mine]


with tf.Session(config=config) as session:
    session.run(tf.global_variables_initializer())
    session.run(hvd.broadcast_global_variables(0))
    for step in range(8):
        batch = slice(8 * step, 8 * step + 8)
        _, value = session.run(
            [train, mean_loss], feed_dict={x: share_rows(images[batch]), y: share_rows(labels[batch])}
        )
        if hvd.rank() == 0:
            print(step, value)
