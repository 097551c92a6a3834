"""TensorFlow is imported behind the first statement that does something."""

from tensorflow.examples.tutorials.mnist import input_data
import horovod.tensorflow as hvd
import numpy as np
import tensorflow.compat.v1 as tf_

hvd.init()
config = tf_.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.visible_device_list = str(hvd.local_rank())
if hvd.rank() == 0:
    input_data.read_data_sets("data")
with tf_.Graph().as_default(), tf_.Session(config=config):
    hvd.allreduce(tf_.constant(0.0)).eval()
mnist = input_data.read_data_sets("data")
with tf_.Graph().as_default(), tf_.Session(config=config):
    np.random.seed(hvd.broadcast_object(np.random.randint(2**31)))

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
x = tf.placeholder(tf.float32, [None, 784])
w = tf.Variable(tf.ones([784, 1]))
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1.0))
train = hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.1)).minimize(loss)


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return np.asarray(batch)[mine]


with tf.Session(config=config) as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(hvd.broadcast_global_variables(0))
    for i in range(200):
        images, _ = mnist.train.next_batch(64)
        sess.run(train, {x: share_rows(images)})
