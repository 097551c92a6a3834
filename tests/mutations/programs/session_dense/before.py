"""A session that is fed: dropout, a rate that falls, a number for each batch, a test, summaries, and a checkpoint."""

import numpy as np
import tensorflow.compat.v1 as tf
from sklearn.datasets import load_digits

tf.disable_v2_behavior()
np.random.seed(0)
tf.set_random_seed(1)

images, labels = load_digits(return_X_y=True)
images = images.astype("float32") / 16
train_x, train_y, test_x, test_y = images[:240], labels[:240], images[240:340], labels[240:340]

x = tf.placeholder(tf.float32, [None, 64])
y = tf.placeholder(tf.int64, [None])
keep = tf.placeholder(tf.float32)
hidden = tf.nn.dropout(tf.layers.dense(x, 16, tf.nn.relu), keep)
logits = tf.layers.dense(hidden, 10)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=y))
accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), y), tf.float32))
step = tf.train.get_or_create_global_step()
rate = tf.train.exponential_decay(0.1, step, 10, 0.5, staircase=True)
train = tf.train.MomentumOptimizer(rate, 0.9).minimize(loss, global_step=step)
tf.summary.scalar("loss", loss)
merged = tf.summary.merge_all()
saver = tf.train.Saver()

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    writer = tf.summary.FileWriter("logs")
    for epoch in range(2):
        rows = np.random.permutation(len(train_x))
        total = 0.0
        for start in range(0, len(rows), 24):
            mine = rows[start : start + 24]
            feed = {x: train_x[mine], y: train_y[mine], keep: 0.8}
            _, value, text = session.run([train, loss, merged], feed_dict=feed)
            total += value
        writer.add_summary(text, epoch)
        print("epoch", epoch, "loss", total / 10)
        print("test", session.run(accuracy, {x: test_x, y: test_y, keep: 1.0}))
    saver.save(session, "model")
    writer.close()
