"""Keras 3 on JAX: a PyDataset, and a loop around train_on_batch."""

import keras
import numpy as np


class Batches(keras.utils.PyDataset):
    def __init__(self, x, y, **options):
        super().__init__(**options)
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x) // 32

    def __getitem__(self, index):
        rows = slice(index * 32, (index + 1) * 32)
        return self.x[rows], self.y[rows]


keras.distribution.set_distribution(keras.distribution.DataParallel())
x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(Batches(x, y, workers=2), epochs=2)
for start in range(0, len(x), 32):
    loss = model.train_on_batch(x[start:start + 32], y[start:start + 32])
    print(loss)
