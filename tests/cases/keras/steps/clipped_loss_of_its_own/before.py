"""Gradients of a loss of its own that are clipped: under a strategy each replica would clip its own."""
import numpy as np
import tensorflow as tf
from tensorflow import keras


class Net(keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(y - self(x, training=True)))
        gradients = tape.gradient(loss, self.trainable_variables)
        gradients, _ = tf.clip_by_global_norm(gradients, 1.0)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {}


inputs = keras.Input((4,))
net = Net(inputs, keras.layers.Dense(1)(inputs))
net.compile("sgd")
net.fit(np.ones((64, 4)), np.ones((64, 1)), batch_size=16)
