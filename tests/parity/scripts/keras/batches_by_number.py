"""A sequence that makes its own batches, in several threads, and a rate that a function sets for each epoch."""
import math

import numpy as np
from sklearn.datasets import load_digits
from tensorflow import keras

np.random.seed(2)
keras.utils.set_random_seed(2)
digits = load_digits()
pixels, labels = digits.data[:600] / 16.0, digits.target[:600]


class Batches(keras.utils.Sequence):
    def __init__(self, x, y, size):
        self.x, self.y, self.size = x, y, size

    def __len__(self):
        return math.ceil(len(self.x) / self.size)

    def __getitem__(self, index):
        part = slice(index * self.size, (index + 1) * self.size)
        return self.x[part], self.y[part]


model = keras.Sequential([keras.layers.Dense(10, activation="softmax", input_shape=(64,))])
model.compile(keras.optimizers.SGD(0.1), "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(Batches(pixels[:500], labels[:500], 50), epochs=3, verbose=2, workers=4, validation_data=Batches(pixels[500:], labels[500:], 50), callbacks=[keras.callbacks.LearningRateScheduler(lambda epoch: 0.1 / (1 + epoch))])
