"""A placeholder of the shape of the whole array: a part of its rows could not be fed."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.set_random_seed(1)
x = np.linspace(-1, 1, 100)[:, np.newaxis]
y = x**2
tf_x = tf.placeholder(tf.float32, x.shape)
tf_y = tf.placeholder(tf.float32, shape=np.shape(y))
hidden = tf.layers.dense(tf_x, 10, tf.nn.relu)
loss = tf.losses.mean_squared_error(tf_y, tf.layers.dense(hidden, 1))
train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(100):
        session.run(train, {tf_x: x, tf_y: y})
    print(session.run(loss, {tf_x: x, tf_y: y}))
