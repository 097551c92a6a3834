"""Each process turns its own pictures by NumPy's numbers, of which all have the same."""

import numpy as np
from tensorflow import keras

np.random.seed(1)
x, y = np.ones((100, 8, 8, 3)), np.ones(100)
pictures = keras.preprocessing.image.ImageDataGenerator(rotation_range=20)
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(pictures.flow(x, y, batch_size=20), epochs=2)
