"""A monitored session with hooks that count, log, and save."""

import numpy as np
import tensorflow.compat.v1 as tf
import horovod.tensorflow as hvd

tf.disable_v2_behavior()
hvd.init()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.visible_device_list = str(hvd.local_rank())
with tf.Graph().as_default(), tf.Session(config=config):
    np.random.seed(hvd.broadcast_object(np.random.randint(2**31)))
if hvd.rank() != 0:
    tf.logging.set_verbosity(tf.logging.WARN)
if hvd.rank() == 0:
    tf.logging.set_verbosity(tf.logging.INFO)


def batches(images, labels, size):
    while True:
        order = np.random.permutation(len(images))
        for start in range(0, len(images) - size + 1, size):
            rows = order[start : start + size]
            yield images[rows], labels[rows]


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return np.asarray(batch)[mine]


def main(_):
    images, labels = np.load("images.npy"), np.load("labels.npy")
    x = tf.placeholder(tf.float32, [None, 64], name="images")
    y = tf.placeholder(tf.int64, [None], name="labels")
    logits = tf.layers.dense(tf.layers.dense(x, 32, activation=tf.nn.relu), 10)
    loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
    mean_loss = hvd.allreduce(loss)
    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(0.1, step, 100, 0.9)
    train = hvd.DistributedOptimizer(tf.train.GradientDescentOptimizer(rate)).minimize(loss, global_step=step)
    hooks = [
        hvd.BroadcastGlobalVariablesHook(0),
        tf.train.StopAtStepHook(last_step=500),
        tf.train.LoggingTensorHook({"step": step, "loss": mean_loss}, every_n_iter=100),
        *([tf.train.CheckpointSaverHook("checkpoints", save_steps=250)] if hvd.rank() == 0 else []),
    ]
    feed = batches(images, labels, 64)
    with tf.train.MonitoredTrainingSession(checkpoint_dir="logs" if hvd.rank() == 0 else None, hooks=hooks, config=config) as session:
        while not session.should_stop():
            some, theirs = next(feed)
            session.run(train, feed_dict={x: share_rows(some), y: share_rows(theirs)})


if __name__ == "__main__":
    tf.app.run()
