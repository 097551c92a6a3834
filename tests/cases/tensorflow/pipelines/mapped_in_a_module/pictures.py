"""What a script of this folder maps over its samples."""

import tensorflow as tf


def changed(x, y):
    return x + tf.random.normal(tf.shape(x), stddev=0.1), y
