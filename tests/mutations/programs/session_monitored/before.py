"""A monitored session without a seed of its weights: it stops by itself, logs, and writes checkpoints."""

import numpy as np
import tensorflow.compat.v1 as tf
from sklearn.datasets import load_digits

tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.INFO)
np.random.seed(3)
images, labels = load_digits(return_X_y=True)
images, labels = images[:160] / 16, labels[:160]
x = tf.placeholder(tf.float32, [None, 64])
y = tf.placeholder(tf.int64, [None])
logits = tf.layers.dense(x, 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
step = tf.train.get_or_create_global_step()
train = tf.train.AdamOptimizer(0.01).minimize(loss, global_step=step)
hooks = [
    tf.train.StopAtStepHook(last_step=20),
    tf.train.LoggingTensorHook({"loss": loss}, every_n_iter=5),
    tf.train.CheckpointSaverHook("kept", save_steps=10),
]
with tf.train.MonitoredTrainingSession(hooks=hooks) as session:
    while not session.should_stop():
        rows = np.random.permutation(len(images))[:32]
        _, value = session.run([train, loss], feed_dict={x: images[rows], y: labels[rows]})
        print("loss", value)
