"""A model with averages of batch normalisation, of which each process has its own, makes what it is trained with."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
data = np.load("data.npy")
x = tf.placeholder(tf.float32, [None, 3])
target = tf.placeholder(tf.float32, [None, 3])
training = tf.placeholder(tf.bool)
out = tf.layers.dense(tf.layers.batch_normalization(x, training=training), 3)
loss = tf.reduce_mean(tf.square(out - target))
with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
    train = tf.train.AdamOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(200):
        rows = data[i % 10 :: 10]
        guessed = sess.run(out, {x: rows, training: False})
        sess.run(train, {x: rows, target: (rows + guessed) / 2, training: True})
