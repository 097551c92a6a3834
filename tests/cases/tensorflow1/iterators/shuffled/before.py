"""A shuffled stream, and the number of a dropout that is fed."""

import numpy as np
import tensorflow as tf

tf.compat.v1.disable_eager_execution()
x_train = np.load("x.npy")
y_train = np.load("y.npy").reshape(-1, 1)
dataset = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shuffle(1000).repeat().batch(32).prefetch(1)
iterator = tf.compat.v1.data.make_one_shot_iterator(dataset)
x, y = iterator.get_next()
keep = tf.compat.v1.placeholder(tf.float32, [])
w = tf.compat.v1.get_variable("w", [8, 1])
loss = tf.reduce_sum(tf.square(tf.matmul(tf.nn.dropout(x, keep), w) - y))
train = tf.compat.v1.train.GradientDescentOptimizer(0.01).minimize(loss)
with tf.compat.v1.Session() as session:
    session.run(tf.compat.v1.global_variables_initializer())
    for step in range(100):
        _, value = session.run([train, loss], feed_dict={keep: 0.9})
        if step % 10 == 0:
            whole = session.run(loss, {keep: 1.0})
            print(step, value, whole)
