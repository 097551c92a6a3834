"""A model of a library around Keras beside a generator of images that is fitted first: the model is the place."""

import numpy as np
from keras.preprocessing.image import ImageDataGenerator
from keras_contrib.applications import DenseNet

x, y = np.zeros((64, 8, 8, 3)), np.zeros((64, 1))
model = DenseNet((8, 8, 3), depth=40)
model.compile(loss="categorical_crossentropy", optimizer="adam")
generator = ImageDataGenerator(rotation_range=15)
generator.fit(x)
model.fit_generator(generator.flow(x, y, batch_size=16), epochs=2)
