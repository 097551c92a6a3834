"""The script counts the samples of what it trains on."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.preprocessing.image import ImageDataGenerator

x, y = np.load("x.npy"), np.load("y.npy")
train = ImageDataGenerator(horizontal_flip=True).flow(x, y, batch_size=32, seed=1)
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(train, steps_per_epoch=train.n // 32, epochs=5)
