"""Noise that the graph draws for each sample that is fed."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
np.random.seed(0)
tf.set_random_seed(0)
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
generator_loss = -tf.reduce_mean(critic(made))
of_critic = [v for v in tf.trainable_variables() if v.name.startswith("critic")]
of_generator = [v for v in tf.trainable_variables() if v.name.startswith("generator")]
critic_step = tf.train.AdamOptimizer(1e-3).minimize(critic_loss, var_list=of_critic)
generator_step = tf.train.AdamOptimizer(1e-3).minimize(generator_loss, var_list=of_generator)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(20):
        batch = images[np.random.randint(0, len(images), 32)]
        _, loss = sess.run([critic_step, critic_loss], {inputs: batch})
        sess.run(generator_step, {inputs: batch})
        print(step, loss)
