"""Callbacks in the fifth place: what they save is saved once."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.preprocessing.image import ImageDataGenerator


class Saver(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        self.model.save("last.h5")


x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit_generator(ImageDataGenerator().flow(x, y, batch_size=32), 10, 5, 1, [Saver()])
