"""The data is fetched at module level, before the guard under which the graph is made and run."""

import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data

mnist = input_data.read_data_sets("MNIST_data", one_hot=False)


def main():
    x = tf.placeholder(tf.float32, [None, 784])
    y = tf.placeholder(tf.int64, [None])
    loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(x, 10))
    train = tf.train.AdamOptimizer().minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for step in range(100):
            images, labels = mnist.train.next_batch(32)
            sess.run(train, {x: images, y: labels})


if __name__ == "__main__":
    main()
