"""Rows of images as sequences, a sparse table of embeddings, batches drawn by Python's random, and a list of losses."""

import random

import numpy as np
import tensorflow.compat.v1 as tf
from sklearn.datasets import load_digits

tf.disable_v2_behavior()
random.seed(7)
tf.set_random_seed(8)
images, labels = load_digits(return_X_y=True)
sequences = images.astype("int64").reshape(-1, 8, 8)[:, :, ::2].sum(axis=2)

x = tf.placeholder(tf.int64, [None, 8])
y = tf.placeholder(tf.int64, [None])
table = tf.get_variable("table", [65, 8])
cell = tf.nn.rnn_cell.GRUCell(12)
outputs, state = tf.nn.dynamic_rnn(cell, tf.nn.embedding_lookup(table, x), dtype=tf.float32)
logits = tf.layers.dense(tf.concat([tf.unstack(outputs, 8, 1)[-1], state], 1), 10)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=y))
train = tf.train.AdamOptimizer(0.02).minimize(loss)

with tf.Session() as sess:
    tf.global_variables_initializer().run()
    losses = []
    for i in range(30):
        rows = random.sample(range(len(sequences)), 40)
        batch = [sequences[row] for row in rows]
        _, value = sess.run([train, loss], {x: batch, y: labels[rows]})
        losses.append(value)
        if i % 10 == 9:
            print("step", i, "mean loss", np.mean(losses))
    guess = sess.run(tf.argmax(logits, 1), {x: sequences})
    print("right", (guess == labels).mean())
    print("table", np.abs(sess.run(table)).sum())
