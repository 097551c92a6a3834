"""Methods that train, and that do not, in prints."""

import numpy as np
import tensorflow.compat.v1 as tf
import horovod.tensorflow as hvd

tf.disable_v2_behavior()


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return np.asarray(batch)[mine]


class Net:
    def __init__(self, session):
        self.session = session
        self.x = tf.placeholder(tf.float32, [None, 4])
        self.y = tf.placeholder(tf.float32, [None, 1])
        self.out = tf.layers.dense(self.x, 1)
        self.loss = tf.reduce_mean(tf.square(self.y - self.out))
        self.mean_loss = hvd.allreduce(self.loss)
        self.step = hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.001)).minimize(self.loss)

    def train(self, x, y):
        return self.session.run([self.step, self.mean_loss], {self.x: share_rows(x), self.y: share_rows(y)})[1]

    def predict(self, x):
        return self.session.run(self.out, {self.x: x})


hvd.init()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.visible_device_list = str(hvd.local_rank())
with tf.Graph().as_default(), tf.Session(config=config):
    np.random.seed(hvd.broadcast_object(np.random.randint(2**31)))
data = np.load("data.npy")
labels = np.load("labels.npy")
with tf.Session(config=config) as session:
    net = Net(session)
    session.run(tf.global_variables_initializer())
    session.run(hvd.broadcast_global_variables(0))
    for i in range(200):
        rows = np.random.randint(0, len(data), 32)
        train_result = net.train(data[rows], labels[rows])
        if hvd.rank() == 0:
            print("loss", train_result)
    if hvd.rank() == 0:
        print(net.predict(data))
