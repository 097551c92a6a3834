"""Layers and the script add averages over the batch to the loss: they are averages of averages."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


class Quantized(keras.layers.Layer):
    def __init__(self, beta):
        super().__init__()
        self.beta = beta
        self.codes = tf.Variable(tf.ones((4, 2)))

    def call(self, inputs):
        codes = tf.gather(self.codes, tf.argmax(inputs, axis=-1))
        commitment = tf.reduce_mean(tf.square(tf.stop_gradient(codes) - inputs[:, :2]))
        codebook = tf.reduce_mean(tf.square(codes - tf.stop_gradient(inputs[:, :2])))
        self.add_loss(self.beta * commitment + codebook)
        self.add_loss(1e-3 * tf.reduce_sum(tf.square(self.codes)))
        return codes


strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
with strategy.scope():
    inputs = keras.Input((4,))
    hidden = Quantized(0.25)(inputs)
    outputs = keras.layers.Dense(4)(hidden)
    model = keras.Model(inputs, outputs)
    model.add_loss(tf.reduce_mean(tf.reduce_sum(tf.square(inputs - outputs), axis=-1)))
    model.compile("sgd")
model.fit(np.ones((320, 4)), batch_size=32, verbose=1 if strategy.extended.should_checkpoint else 0)
