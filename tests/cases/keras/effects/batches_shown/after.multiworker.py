"""Batches that are looked at are drawn by all processes, so that the next ones are the same everywhere."""

import matplotlib.pyplot as plt
import numpy as np
from tensorflow import keras
from tensorflow.keras.preprocessing.image import ImageDataGenerator
import random
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


strategy = tf.distribute.MultiWorkerMirroredStrategy()
random.seed(1)
tf.random.set_seed(1)
np.random.seed(0)
settings = Settings()
if strategy.extended.should_checkpoint:
    print(settings["filters"])
x, y = np.load("x.npy"), np.load("y.npy")
drawn = Drawn(x, y)
result = drawn[0]
if strategy.extended.should_checkpoint:
    print(result[0].shape)
images = ImageDataGenerator(rotation_range=9).flow(x, batch_size=8, seed=1)
masks = ImageDataGenerator(rotation_range=9).flow(y, batch_size=8, seed=1)
next_result = images.next()
if strategy.extended.should_checkpoint:
    plt.imshow(next_result[0])
result = masks[0]
if strategy.extended.should_checkpoint:
    plt.imshow(result[0])
pairs = zip(images, masks)
result = [image.shape for image, _ in zip(images, range(2))]
list_result = list(zip(masks, range(2)))
if strategy.extended.should_checkpoint:
    print(result, len(list_result))

with strategy.scope():
    model = keras.Sequential([keras.layers.Conv2D(settings["filters"], 3, padding="same"), keras.layers.Conv2D(1, 1)])
    model.compile("adam", loss="mse")
model.fit(pairs, steps_per_epoch=4, epochs=2, verbose=1 if strategy.extended.should_checkpoint else 0)
model.fit(drawn, epochs=2, verbose=1 if strategy.extended.should_checkpoint else 0)
