import numpy as np
import tensorflow.compat.v1 as tf
from sklearn.datasets import load_iris

tf.disable_v2_behavior()
np.random.seed(4)
x, y = load_iris(return_X_y=True)
inputs = tf.placeholder(tf.float32, [None, 4])
labels = tf.placeholder(tf.int64, [None])
logits = tf.layers.dense(tf.layers.dense(inputs, 8, tf.nn.tanh), 3)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=labels))
hits = tf.reduce_sum(tf.cast(tf.equal(tf.argmax(logits, 1), labels), tf.int64))
train = tf.train.AdamOptimizer(0.05).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for epoch in range(3):
        order = np.random.permutation(150)
        for at in range(0, 150, 30):
            session.run(train, {inputs: x[order[at : at + 30]], labels: y[order[at : at + 30]]})
        print("epoch", epoch, "right", session.run(hits, {inputs: x, labels: y}))
