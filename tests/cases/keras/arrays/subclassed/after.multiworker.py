"""A model of a class of its own, without a step of its own."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
import os
import tempfile


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = keras.layers.Dense(8, activation="relu")
        self.out = keras.layers.Dense(1)

    def call(self, inputs):
        return self.out(self.hidden(inputs))


strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
x = tf.random.stateless_normal((256, 4), (1, 2))
y = tf.reduce_sum(x, axis=1)
with strategy.scope():
    net = Net()
    net.compile(optimizer="adam", loss="mse")
net.fit(x, y, batch_size=16, epochs=2, verbose=1 if strategy.extended.should_checkpoint else 0)
net.save_weights(
    "net.h5" if strategy.extended.should_checkpoint else os.path.join(tempfile.mkdtemp(), os.path.basename("net.h5"))
)
