"""Each process makes pictures of its own images and saves them, under names that are the same on all."""

import numpy as np
from tensorflow import keras

x, y = np.ones((100, 8, 8, 3)), np.ones(100)
pictures = keras.preprocessing.image.ImageDataGenerator(rotation_range=20)
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(pictures.flow(x, y, batch_size=20, save_to_dir="augmented"), epochs=2)
