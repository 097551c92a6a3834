"""A column of a table is fed, and another one is taken from the predictions in the graph."""

import pandas as pd
import tensorflow as tf

table = pd.read_csv("houses.csv")
sizes = table[["size"]].values
prices = tf.constant(table[["price"]].values, dtype=tf.float32)

x = tf.placeholder(tf.float32, [None, 1])
predicted = tf.layers.dense(x, 1)
loss = tf.reduce_mean(tf.square(predicted - prices))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(100):
        sess.run(train, feed_dict={x: sizes})
