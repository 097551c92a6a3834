"""A session that is fed, with metrics of batches and of all, a checkpoint that is restored, and summaries."""

import numpy as np
import tensorflow.compat.v1 as tf
from sklearn.datasets import load_digits

tf.disable_v2_behavior()
np.random.seed(0)
tf.set_random_seed(1)

images, labels = load_digits(return_X_y=True)
images = images.astype("float32") / 16
order = np.random.permutation(len(images))
images, labels = images[order], np.eye(10, dtype="float32")[labels[order]]
train_x, train_y, test_x, test_y = images[:1536], labels[:1536], images[1536:], labels[1536:]

x = tf.placeholder(tf.float32, [None, 64])
y = tf.placeholder(tf.float32, [None, 10])
keep = tf.placeholder(tf.float32)
hidden = tf.nn.relu(tf.layers.dense(x, 32))
logits = tf.layers.dense(tf.nn.dropout(hidden, keep), 10)
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(logits=logits, labels=y))
hits = tf.reduce_sum(tf.cast(tf.equal(tf.argmax(logits, 1), tf.argmax(y, 1)), tf.float32))
accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), tf.argmax(y, 1)), tf.float32))
decay = 0.0001 * tf.add_n([tf.nn.l2_loss(v) for v in tf.trainable_variables()])
cost = loss + decay
step = tf.train.get_or_create_global_step()
rate = tf.train.exponential_decay(0.05, step, 48, 0.8)
train = tf.train.MomentumOptimizer(rate, 0.9).minimize(cost, global_step=step)
tf.summary.scalar("loss", loss)
merged = tf.summary.merge_all()
saver = tf.train.Saver()


def epochs(session, numbers, writer):
    for epoch in numbers:
        total, right = 0.0, 0.0
        rows = np.random.permutation(len(train_x))
        for start in range(0, len(rows), 32):
            mine = rows[start : start + 32]
            feed = {x: train_x[mine], y: train_y[mine], keep: 1.0}
            _, value, some, text = session.run([train, cost, hits, merged], feed_dict=feed)
            total += value / (len(rows) // 32)
            right += some
        writer.add_summary(text, epoch)
        print(f"epoch {epoch}: cost {total:.5f}, {right / len(rows):.5f} right")
        print("test", session.run([loss, accuracy], {x: test_x, y: test_y, keep: 1.0}))


with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    writer = tf.summary.FileWriter("logs", session.graph)
    epochs(session, range(2), writer)
    path = saver.save(session, "saved/model")
    print("saved as", path)

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print("before:", session.run(step))
    saver.restore(session, "saved/model")
    print("restored:", session.run(step))
    epochs(session, range(2, 3), writer)
    writer.close()
    print("weights", session.run(tf.add_n([tf.reduce_sum(tf.abs(v)) for v in tf.trainable_variables()])))
