"""TensorFlow 1 within TensorFlow 2, with arrays of the script's own, and everything in functions."""

import numpy as np
import tensorflow as tf
from sklearn.datasets import load_digits


def network(images):
    hidden = tf.compat.v1.layers.dense(images, 64, activation=tf.nn.relu)
    return tf.compat.v1.layers.dense(hidden, 10)


def main():
    tf.compat.v1.disable_v2_behavior()
    digits = load_digits()
    images, labels = digits.data / 16.0, digits.target
    x = tf.compat.v1.placeholder(tf.float32, shape=(None, 64))
    y = tf.compat.v1.placeholder(tf.int64, shape=(None,))
    logits = network(x)
    loss = tf.compat.v1.losses.sparse_softmax_cross_entropy(y, logits)
    optimizer = tf.compat.v1.train.MomentumOptimizer(0.1, 0.9)
    train = optimizer.minimize(loss)
    right = tf.reduce_sum(tf.cast(tf.equal(tf.argmax(logits, 1), y), tf.float32))

    session = tf.compat.v1.Session(config=tf.compat.v1.ConfigProto(allow_soft_placement=True))
    session.run(tf.compat.v1.global_variables_initializer())
    for epoch in range(5):
        order = np.random.permutation(len(images))
        total = 0.0
        for start in range(0, len(images), 32):
            rows = order[start : start + 32]
            value, hits, _ = session.run([loss, right, train], {x: images[rows], y: labels[rows]})
            total += value * len(rows)
        print(f"epoch {epoch}: loss {total / len(images):.4f}, {int(hits)} right in the last batch")
    session.close()


if __name__ == "__main__":
    main()
