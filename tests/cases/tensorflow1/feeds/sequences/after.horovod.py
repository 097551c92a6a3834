"""Recurrent cells over the time steps of each sample, layers with an activation of the script's own, lists that grow."""

import random

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.visible_device_list = str(hvd.local_rank())
with tf.Graph().as_default(), tf.Session(config=config):
    random.seed(hvd.broadcast_object(random.randrange(2**31)))
steps, width = 12, 4
sentences, classes = np.load("sentences.npy"), np.load("classes.npy")


def swish(values):
    return values * tf.sigmoid(values)


x = tf.placeholder(tf.int32, [None, steps])
y = tf.placeholder(tf.int64, [None])
training = tf.placeholder(tf.bool)
table = tf.get_variable("table", [1000, 16])
embedded = tf.nn.embedding_lookup(table, x)
cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.BasicLSTMCell(width) for _ in range(2)])
outputs, state = tf.nn.dynamic_rnn(cell, embedded, dtype=tf.float32)
last = tf.unstack(outputs, steps, 1)[-1]
features = tf.layers.dense(tf.concat([last, state[-1].h], 1), 8, activation=swish)
logits = tf.layers.dense(tf.layers.dropout(features, 0.5, training=training), 3)
decay = tf.add_n([tf.nn.l2_loss(v) for v in tf.trainable_variables() if "bias" not in v.name])
loss = tf.losses.sparse_softmax_cross_entropy(labels=y, logits=logits) + 0.001 * decay
mean_loss = hvd.allreduce(loss)
train = hvd.DistributedOptimizer(tf.train.AdamOptimizer()).minimize(loss)


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return np.asarray(batch)[mine]


with tf.Session(config=config) as sess:
    tf.global_variables_initializer().run()
    hvd.broadcast_global_variables(0).run()
    losses = []
    for _ in range(300):
        rows = random.sample(range(len(sentences)), 20)
        batch = [sentences[row] for row in rows]
        _, value = sess.run([train, mean_loss], {x: share_rows(batch), y: share_rows(classes[rows]), training: True})
        losses.append(value)
    if hvd.rank() == 0:
        print("mean loss", np.mean(losses))
    guess = sess.run(tf.argmax(logits, 1), {x: sentences, training: False})
    if hvd.rank() == 0:
        print("right", (guess == classes).mean())
