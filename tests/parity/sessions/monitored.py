"""A monitored session that stops by itself, logs, and writes checkpoints; with batches of a generator."""

import numpy as np
import tensorflow.compat.v1 as tf
from sklearn.datasets import load_digits

tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.INFO)


def batches(images, labels, size):
    while True:
        order = np.random.permutation(len(images))
        for start in range(0, len(images) - size + 1, size):
            rows = order[start : start + size]
            yield images[rows], labels[rows]


def main(_):
    np.random.seed(3)
    tf.set_random_seed(4)
    images, labels = load_digits(return_X_y=True)
    images = images / 16
    x = tf.placeholder(tf.float32, [None, 64], name="images")
    y = tf.placeholder(tf.int64, [None], name="labels")
    hidden = tf.layers.dense(x, 32, activation=tf.nn.relu)
    logits = tf.layers.dense(hidden, 10)
    loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
    step = tf.train.get_or_create_global_step()
    train = tf.train.AdamOptimizer(0.01).minimize(loss, global_step=step)
    hooks = [
        tf.train.StopAtStepHook(last_step=60),
        tf.train.LoggingTensorHook({"step": step, "loss": loss}, every_n_iter=20),
        tf.train.CheckpointSaverHook("kept", save_steps=30),
    ]
    feed = batches(images, labels, 64)
    with tf.train.MonitoredTrainingSession(checkpoint_dir="logs", hooks=hooks, save_summaries_steps=10) as session:
        done = 0
        while not session.should_stop():
            some, theirs = next(feed)
            _, value = session.run([train, loss], feed_dict={x: some, y: theirs})
            done += 1
            if done % 10 == 0:
                print("step", done, "loss", value)
                if done < 60:
                    print("on all:", session.run(loss, feed_dict={x: images, y: labels}))


if __name__ == "__main__":
    tf.app.run()
