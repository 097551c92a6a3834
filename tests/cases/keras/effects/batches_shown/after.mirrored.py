"""Batches that are looked at are drawn by all processes, so that the next ones are the same everywhere."""

import matplotlib.pyplot as plt
import numpy as np
from tensorflow import keras
from tensorflow.keras.preprocessing.image import ImageDataGenerator
import tensorflow as tf


class Drawn(keras.utils.Sequence):
    """Batches of rows that are drawn."""

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x) // 8

    def __getitem__(self, index):
        rows = np.random.choice(len(self.x), 8)
        return self.x[rows], self.y[rows]


class Settings:
    """Numbers under names."""

    def __init__(self):
        self.numbers = {"filters": 4}

    def __getitem__(self, name):
        return self.numbers[name]


strategy = tf.distribute.MirroredStrategy()
np.random.seed(0)
settings = Settings()
print(settings["filters"])
x, y = np.load("x.npy"), np.load("y.npy")
drawn = Drawn(x, y)
print(drawn[0][0].shape)
images = ImageDataGenerator(rotation_range=9).flow(x, batch_size=8, seed=1)
masks = ImageDataGenerator(rotation_range=9).flow(y, batch_size=8, seed=1)
plt.imshow(images.next()[0])
plt.imshow(masks[0][0])
pairs = zip(images, masks)
print([image.shape for image, _ in zip(images, range(2))], len(list(zip(masks, range(2)))))

with strategy.scope():
    model = keras.Sequential([keras.layers.Conv2D(settings["filters"], 3, padding="same"), keras.layers.Conv2D(1, 1)])
    model.compile("adam", loss="mse")
model.fit(pairs, steps_per_epoch=4, epochs=2)
model.fit(drawn, epochs=2)
