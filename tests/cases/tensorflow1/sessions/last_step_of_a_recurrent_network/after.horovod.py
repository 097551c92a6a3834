"""The states of a recurrent network are turned, so that the last step can be taken: it has one row a sample."""
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
steps, hidden, classes = 5, 8, 3
inputs = np.random.rand(64, steps, 4).astype("float32")
labels = np.eye(classes)[np.random.randint(0, classes, 64)].astype("float32")

X = tf.placeholder(tf.float32, [None, steps, 4])
Y = tf.placeholder(tf.float32, [None, classes])
W = tf.Variable(tf.random_normal([hidden, classes]))
b = tf.Variable(tf.random_normal([classes]))
cell = tf.nn.rnn_cell.BasicLSTMCell(hidden)
outputs, states = tf.nn.dynamic_rnn(cell, X, dtype=tf.float32)
outputs = tf.transpose(outputs, [1, 0, 2])
scores = tf.matmul(outputs[-1], W) + b
cost = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(logits=scores, labels=Y))
mean_cost = hvd.allreduce(cost)
train = hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.01)).minimize(cost)


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return np.asarray(batch)[mine]


with tf.Session(config=config) as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(hvd.broadcast_global_variables(0))
    for epoch in range(10):
        _, loss = sess.run([train, mean_cost], feed_dict={X: share_rows(inputs), Y: share_rows(labels)})
        if hvd.rank() == 0:
            print(epoch, loss)
