"""Two networks and two optimizers: noise is drawn alike everywhere, and each process feeds its part of it."""

import numpy as np
import tensorflow.compat.v1 as tf
import horovod.tensorflow as hvd

tf.disable_v2_behavior()
hvd.init()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.visible_device_list = str(hvd.local_rank())
with tf.Graph().as_default(), tf.Session(config=config):
    np.random.seed(hvd.broadcast_object(np.random.randint(2**31)))
data = np.load("data.npy")


def draw(rows, columns):
    return np.random.uniform(-1.0, 1.0, size=[rows, columns])


x = tf.placeholder(tf.float32, shape=[None, 16])
z = tf.placeholder(tf.float32, shape=[None, 4])
of_maker = [tf.Variable(tf.random_normal([4, 16])), tf.Variable(tf.zeros([16]))]
of_judge = [tf.Variable(tf.random_normal([16, 1])), tf.Variable(tf.zeros([1]))]


def judge(image):
    return tf.matmul(image, of_judge[0]) + of_judge[1]


made = tf.nn.sigmoid(tf.matmul(z, of_maker[0]) + of_maker[1])
real, fake = judge(x), judge(made)
judge_loss = tf.reduce_mean(tf.nn.softplus(-real) + tf.nn.softplus(fake))
mean_judge_loss = hvd.allreduce(judge_loss)
maker_loss = tf.reduce_mean(tf.nn.softplus(-fake))
mean_maker_loss = hvd.allreduce(maker_loss)
judge_step = hvd.DistributedOptimizer(tf.train.AdamOptimizer()).minimize(judge_loss, var_list=of_judge)
maker_step = hvd.DistributedOptimizer(tf.train.AdamOptimizer()).minimize(maker_loss, var_list=of_maker)

sess = tf.Session(config=config)
sess.run(tf.global_variables_initializer())
sess.run(hvd.broadcast_global_variables(0))


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return np.asarray(batch)[mine]


for i in range(1000):
    rows = data[i * 32 % len(data) :][:32]
    _, judged = sess.run([judge_step, mean_judge_loss], feed_dict={x: share_rows(rows), z: share_rows(draw(32, 4))})
    _, fooled = sess.run([maker_step, mean_maker_loss], feed_dict={z: share_rows(draw(32, 4))})
    if i % 100 == 0:
        if hvd.rank() == 0:
            print(i, judged, fooled)
        draw_result = draw(1, 4)
        if hvd.rank() == 0:
            print("sample", sess.run(made, feed_dict={z: draw_result}))
