"""Images and masks of two generators side by side."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.preprocessing.image import ImageDataGenerator

images, masks = np.load("images.npy"), np.load("masks.npy")
options = dict(horizontal_flip=True, rotation_range=10)
train = zip(ImageDataGenerator(**options).flow(images, batch_size=8, seed=1),
            ImageDataGenerator(**options).flow(masks, batch_size=8, seed=1))
model = keras.Sequential([keras.layers.Conv2D(1, 3, padding="same")])
model.compile("adam", "binary_crossentropy")
model.fit(train, steps_per_epoch=len(images) // 8, epochs=5)
