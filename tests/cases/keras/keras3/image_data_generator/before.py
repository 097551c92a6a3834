"""Keras 3 has no ImageDataGenerator: refused."""

import keras
import numpy as np
from keras.preprocessing.image import ImageDataGenerator

keras.utils.set_random_seed(0)
x = np.random.rand(64, 8).astype("float32")
y = x.sum(1, keepdims=True)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(ImageDataGenerator().flow(x.reshape(64, 2, 2, 2), y, batch_size=16), epochs=1)
