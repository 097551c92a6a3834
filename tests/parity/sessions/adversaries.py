"""Two optimizers, noise that is fed, clipped gradients, a gradient penalty, a summed loss, and weights cut by hand."""

import numpy as np
import tensorflow as tf
from sklearn.datasets import load_digits

tf.compat.v1.disable_eager_execution()
np.random.seed(5)
tf.compat.v1.set_random_seed(6)
data = load_digits().data.astype("float32") / 16


def draw(rows, columns):
    return np.random.uniform(-1.0, 1.0, size=[rows, columns])


x = tf.compat.v1.placeholder(tf.float32, shape=[None, 64])
z = tf.compat.v1.placeholder(tf.float32, shape=[None, 8])
of_maker = [tf.Variable(tf.random.normal([8, 64], stddev=0.1)), tf.Variable(tf.zeros([64]))]
of_judge = [tf.Variable(tf.random.normal([64, 1], stddev=0.1)), tf.Variable(tf.zeros([1]))]


def judge(image):
    return tf.matmul(tf.nn.tanh(image), of_judge[0]) + of_judge[1]


made = tf.nn.sigmoid(tf.matmul(z, of_maker[0]) + of_maker[1])
real, fake = judge(x), judge(made)
slope = tf.gradients(judge(x), [x])[0]
penalty = tf.reduce_mean((tf.sqrt(tf.reduce_sum(slope**2, axis=1) + 1e-6) - 1.0) ** 2)
judge_loss = tf.reduce_mean(tf.nn.softplus(-real)) + tf.reduce_mean(tf.nn.softplus(fake)) + penalty
maker_loss = tf.reduce_sum(tf.nn.softplus(-fake)) / 32

optimizer = tf.compat.v1.train.AdamOptimizer(0.01)
clipped = [(tf.clip_by_value(g, -0.1, 0.1), v) for g, v in optimizer.compute_gradients(judge_loss, of_judge)]
judge_step = optimizer.apply_gradients(clipped)
gradients, _ = tf.clip_by_global_norm(tf.gradients(maker_loss, of_maker), 0.5)
maker_step = tf.compat.v1.train.GradientDescentOptimizer(0.5).apply_gradients(zip(gradients, of_maker, strict=True))
cut = [v.assign(tf.clip_by_value(v, -0.5, 0.5)) for v in of_judge]

sess = tf.compat.v1.InteractiveSession()
tf.compat.v1.global_variables_initializer().run()
for i in range(40):
    rows = data[i * 32 % 1600 :][:32]
    _, judged = sess.run([judge_step, judge_loss], feed_dict={x: rows, z: draw(32, 8)})
    sess.run(cut)
    _, fooled = sess.run([maker_step, -maker_loss], feed_dict={z: draw(32, 8)})
    if i % 10 == 0:
        print("step", i, "judge", judged, "maker", fooled)
        print("sample", sess.run(made, feed_dict={z: draw(1, 8)}).sum())
print("weights", np.abs(of_judge[0].eval()).sum(), np.abs(of_maker[0].eval()).sum())
