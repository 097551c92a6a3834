"""A part of the arrays is set aside by the generator, which takes it from their beginning."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.preprocessing.image import ImageDataGenerator

x, y = np.load("x.npy"), np.load("y.npy")
images = ImageDataGenerator(rotation_range=10, validation_split=0.2)
train = images.flow(x, y, batch_size=32, subset="training")
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(train, epochs=5, validation_data=images.flow(x, y, batch_size=32, subset="validation"))
