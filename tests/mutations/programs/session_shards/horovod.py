import horovod.tensorflow as hvd
import numpy as np
import tensorflow.compat.v1 as tf
from sklearn.datasets import load_iris

tf.disable_v2_behavior()
hvd.init()
rank, size = hvd.rank(), hvd.size()
np.random.seed(4 + rank)
x, y = load_iris(return_X_y=True)
inputs = tf.placeholder(tf.float32, [None, 4])
labels = tf.placeholder(tf.int64, [None])
logits = tf.layers.dense(tf.layers.dense(inputs, 8, tf.nn.tanh), 3)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=labels))
hits = tf.reduce_sum(tf.cast(tf.equal(tf.argmax(logits, 1), labels), tf.int64))
total = hvd.allreduce(hits, op=hvd.Sum)
train = hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.05)).minimize(loss)
own = np.arange(rank, 150, size)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(hvd.broadcast_global_variables(0))
    for epoch in range(3):
        order = np.random.permutation(own)
        for at in range(0, len(own), 30 // size):
            mine = order[at : at + 30 // size]
            session.run(train, {inputs: x[mine], labels: y[mine]})
        right = session.run(total, {inputs: x[own], labels: y[own]})
        if rank == 0:
            print("epoch", epoch, "right", right)
