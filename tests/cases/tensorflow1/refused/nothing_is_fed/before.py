"""A session of TensorFlow 1."""

import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
w = tf.get_variable("w", [3])
loss = tf.reduce_mean(tf.square(w))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(10):
        session.run(train)
