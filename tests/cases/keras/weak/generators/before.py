"""Whole batches: of a generator, of a Sequence, of images that flow."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.preprocessing.image import ImageDataGenerator


def batches(x, y):
    while True:
        for start in range(0, len(x), 32):
            yield x[start:start + 32], y[start:start + 32]


class Batches(keras.utils.Sequence):
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x) // 32

    def __getitem__(self, index):
        rows = slice(index * 32, (index + 1) * 32)
        return self.x[rows], self.y[rows]


x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(batches(x, y), steps_per_epoch=len(x) // 32, epochs=20)
model.fit(Batches(x, y), epochs=20)
model.fit(ImageDataGenerator(zoom_range=0.1).flow(x, y, batch_size=32), steps_per_epoch=len(x) // 32, epochs=20)
model.fit(ImageDataGenerator().flow_from_directory("images", batch_size=32), epochs=20)
