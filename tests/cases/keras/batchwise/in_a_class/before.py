"""Trained in a method; the loss is returned to a decision."""

import numpy as np
from tensorflow import keras


class Trainer:
    def __init__(self):
        self.model = keras.Sequential([keras.layers.Dense(4, input_shape=(8,)), keras.layers.Dense(1)])
        self.model.compile("adam", "mse")

    def step(self, x, y):
        return self.model.train_on_batch(x, y)


np.random.seed(1)
x = np.random.rand(1000, 8)
y = x.sum(axis=1)
trainer = Trainer()
for step in range(1000):
    rows = np.random.choice(1000, 50)
    if trainer.step(x[rows], y[rows]) < 0.01:
        break
trainer.model.save_weights("model.h5")
