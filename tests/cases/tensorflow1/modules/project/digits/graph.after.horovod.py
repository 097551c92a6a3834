import tensorflow.compat.v1 as tf
import horovod.tensorflow as hvd

tf.disable_v2_behavior()


class Graph:
    def __init__(self, inputs, classes):
        self.x = tf.placeholder(tf.float32, [None, inputs])
        self.y = tf.placeholder(tf.float32, [None, classes])
        weights = tf.Variable(tf.random_normal([inputs, classes], stddev=0.1))
        logits = tf.matmul(self.x, weights)
        self.loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=self.y, logits=logits))
        self.mean_loss = hvd.allreduce(self.loss)
        self.step = hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.05)).minimize(self.loss)
