"""What is added to a model goes through attributes of an object: a sum over samples."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


class Trainer:
    def __init__(self):
        self.inputs = keras.Input((4,))
        self.outputs = keras.layers.Dense(4)(self.inputs)
        self.model = keras.Model(self.inputs, self.outputs)

    def train(self, x):
        self.error = tf.reduce_sum(tf.square(self.inputs - self.outputs))
        self.model.add_loss(self.error)
        self.model.compile("sgd")
        self.model.fit(x, batch_size=32)


Trainer().train(np.ones((320, 4)))
