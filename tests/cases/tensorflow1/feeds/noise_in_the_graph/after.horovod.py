"""Noise that the graph draws for each sample that is fed."""

import numpy as np
import tensorflow.compat.v1 as tf
import horovod.tensorflow as hvd

tf.disable_v2_behavior()
hvd.init()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.visible_device_list = str(hvd.local_rank())
np.random.seed(0)
tf.set_random_seed(0 + hvd.rank())
images = np.random.rand(320, 16).astype("float32")
inputs = tf.placeholder(tf.float32, [None, 16])


def generator(noise):
    with tf.variable_scope("generator", reuse=tf.AUTO_REUSE):
        return tf.layers.dense(noise, 16, tf.nn.sigmoid)


def critic(batch):
    with tf.variable_scope("critic", reuse=tf.AUTO_REUSE):
        return tf.layers.dense(tf.layers.dense(batch, 8, tf.nn.relu), 1)


made = generator(tf.random_normal([tf.shape(inputs)[0], 4]))
critic_loss = tf.reduce_mean(critic(made)) - tf.reduce_mean(critic(inputs))
mean_critic_loss = hvd.allreduce(critic_loss)
generator_loss = -tf.reduce_mean(critic(made))
of_critic = [v for v in tf.trainable_variables() if v.name.startswith("critic")]
of_generator = [v for v in tf.trainable_variables() if v.name.startswith("generator")]
critic_step = hvd.DistributedOptimizer(tf.train.AdamOptimizer(1e-3)).minimize(critic_loss, var_list=of_critic)
generator_step = hvd.DistributedOptimizer(tf.train.AdamOptimizer(1e-3)).minimize(generator_loss, var_list=of_generator)


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return np.asarray(batch)[mine]


with tf.Session(config=config) as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(hvd.broadcast_global_variables(0))
    for step in range(20):
        batch = images[np.random.randint(0, len(images), 32)]
        _, loss = sess.run([critic_step, mean_critic_loss], {inputs: share_rows(batch)})
        sess.run(generator_step, {inputs: share_rows(batch)})
        if hvd.rank() == 0:
            print(step, loss)
