"""Drawn labels in a row against predictions in a column: each sample meets all the others."""

import tensorflow.compat.v1 as tf
from sklearn.datasets import load_diabetes

tf.disable_v2_behavior()
images, labels = load_diabetes(return_X_y=True)
dataset = tf.data.Dataset.from_tensor_slices((images, labels)).repeat().batch(64)
x, y = dataset.make_one_shot_iterator().get_next()
w = tf.Variable(tf.ones([10, 1], tf.float64))
errors = tf.square(tf.matmul(x, w) - y)
loss = tf.reduce_mean(errors)
train = tf.train.AdamOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(200):
        sess.run(train)
