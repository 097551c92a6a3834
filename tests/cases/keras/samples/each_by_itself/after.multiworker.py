"""Reductions of each sample by itself, of weights, and of shapes; what is only shown of a batch."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


class Attention(keras.layers.Layer):
    def build(self, shape):
        self.scale = self.add_weight(name="scale", shape=(shape[-1],), initializer="ones")

    def call(self, inputs, training=None):
        weights = tf.exp(inputs * tf.reduce_sum(self.scale))
        weights = weights / tf.reduce_sum(weights, axis=1, keepdims=True)
        self.add_metric(tf.reduce_mean(weights), name="weight")
        return tf.reshape(inputs * weights, (tf.shape(inputs)[0], -1))


strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
with strategy.scope():
    inputs = keras.Input((8,))
    hidden = Attention()(inputs)
    hidden = hidden - tf.reduce_mean(hidden, axis=1, keepdims=True)
    model = keras.Model(inputs, keras.layers.Dense(1)(hidden))
    model.compile("sgd", "mse")
model.fit(np.ones((320, 8)), np.ones((320, 1)), batch_size=32, verbose=1 if strategy.extended.should_checkpoint else 0)
