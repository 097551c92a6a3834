"""A model that prints what shape its input has: Keras calls it, on every process, with a part of the batch."""

import numpy as np
from tensorflow import keras


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.out = keras.layers.Dense(1)

    def call(self, inputs, training=None):
        print(inputs.shape)
        return self.out(inputs)

    def describe(self):
        print("a linear model")


x, y = np.load("x.npy"), np.load("y.npy")
model = Net()
model.compile("sgd", "mse")
model.fit(x, y, epochs=3)
