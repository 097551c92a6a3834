"""Keras sets NumPy's seed for the order of a folder; what is drawn behind it must be equal on all processes."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.preprocessing.image import ImageDataGenerator

np.random.seed(3)
pictures = ImageDataGenerator(rescale=1.0 / 255).flow_from_directory("train", target_size=(8, 8), batch_size=8)
first = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(2, activation="softmax")])
first.compile("sgd", "categorical_crossentropy")
first.fit(pictures, epochs=2)

table = np.load("table.npy")
order = np.random.permutation(len(table))
train, test = table[order[:160]], table[order[160:]]
second = keras.Sequential([keras.layers.Dense(1, input_shape=(4,))])
second.compile("sgd", "mse")
second.fit(train[:, :4], train[:, 4], batch_size=16, epochs=3)
print(second.evaluate(test[:, :4], test[:, 4], verbose=0))
