"""A monitored session with hooks that count, log, and save."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.INFO)


def batches(images, labels, size):
    while True:
        order = np.random.permutation(len(images))
        for start in range(0, len(images) - size + 1, size):
            rows = order[start : start + size]
            yield images[rows], labels[rows]


def main(_):
    images, labels = np.load("images.npy"), np.load("labels.npy")
    x = tf.placeholder(tf.float32, [None, 64], name="images")
    y = tf.placeholder(tf.int64, [None], name="labels")
    logits = tf.layers.dense(tf.layers.dense(x, 32, activation=tf.nn.relu), 10)
    loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(0.1, step, 100, 0.9)
    train = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=step)
    hooks = [
        tf.train.StopAtStepHook(last_step=500),
        tf.train.LoggingTensorHook({"step": step, "loss": loss}, every_n_iter=100),
        tf.train.CheckpointSaverHook("checkpoints", save_steps=250),
    ]
    feed = batches(images, labels, 64)
    with tf.train.MonitoredTrainingSession(checkpoint_dir="logs", hooks=hooks) as session:
        while not session.should_stop():
            some, theirs = next(feed)
            session.run(train, feed_dict={x: some, y: theirs})


if __name__ == "__main__":
    tf.app.run()
