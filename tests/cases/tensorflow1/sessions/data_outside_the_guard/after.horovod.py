"""The data is fetched at module level, before the guard under which the graph is made and run."""

import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data
import horovod.tensorflow as hvd
import numpy as np

hvd.init()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.visible_device_list = str(hvd.local_rank())
if hvd.rank() == 0:
    input_data.read_data_sets("MNIST_data", one_hot=False)
with tf.Graph().as_default(), tf.Session(config=config):
    hvd.allreduce(tf.constant(0.0)).eval()
mnist = input_data.read_data_sets("MNIST_data", one_hot=False)
with tf.Graph().as_default(), tf.Session(config=config):
    np.random.seed(hvd.broadcast_object(np.random.randint(2**31)))


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return np.asarray(batch)[mine]


def main():
    x = tf.placeholder(tf.float32, [None, 784])
    y = tf.placeholder(tf.int64, [None])
    loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(x, 10))
    train = hvd.DistributedOptimizer(tf.train.AdamOptimizer()).minimize(loss)
    with tf.Session(config=config) as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(hvd.broadcast_global_variables(0))
        for step in range(100):
            images, labels = mnist.train.next_batch(32)
            sess.run(train, {x: share_rows(images), y: share_rows(labels)})


if __name__ == "__main__":
    main()
