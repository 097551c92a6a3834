"""An interactive session runs what is asked to run, without being named."""

import numpy as np
import tensorflow.compat.v1 as tf
import horovod.tensorflow as hvd

tf.disable_eager_execution()
hvd.init()
np.random.seed(0)
tf.set_random_seed(1 + hvd.rank())
inputs = np.random.rand(256, 8).astype("float32")
targets = inputs.sum(axis=1, keepdims=True)

x = tf.placeholder("float", [None, 8])
t = tf.placeholder("float", [None, 1])
rate = tf.placeholder(tf.float32, [])
w = tf.get_variable("w", [8, 1])
error = tf.reduce_sum(tf.square(tf.matmul(tf.nn.dropout(x, rate=0.1), w) - t)) / 64
step = hvd.DistributedOptimizer(tf.train.GradientDescentOptimizer(rate), op=hvd.Sum).minimize(error)

config = tf.ConfigProto()
config.gpu_options.visible_device_list = str(hvd.local_rank())
config.gpu_options.allow_growth = True
tf.InteractiveSession(config=config)
tf.global_variables_initializer().run()
hvd.broadcast_global_variables(0).run()


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return np.asarray(batch)[mine]


for i in range(100):
    start = i * 64 % 256
    step.run(
        feed_dict={
            x: share_rows(inputs[start : start + 64]), t: share_rows(targets[start : start + 64]), rate: 0.1 / (1 + i)
        }
    )
if hvd.rank() == 0:
    print("weights", w.eval())
