"""Behind a fit that is returned there is no place to make NumPy's state equal again."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.preprocessing.image import ImageDataGenerator


def train_on_pictures(model):
    pictures = ImageDataGenerator(rescale=1.0 / 255).flow_from_directory("train", target_size=(8, 8), batch_size=8)
    return model.fit(pictures, epochs=2)


first = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(2, activation="softmax")])
first.compile("sgd", "categorical_crossentropy")
print(train_on_pictures(first).history)
table = np.random.permutation(np.load("table.npy"))
second = keras.Sequential([keras.layers.Dense(1, input_shape=(4,))])
second.compile("sgd", "mse")
second.fit(table[:, :4], table[:, 4], batch_size=16, epochs=3, validation_split=0.2)
