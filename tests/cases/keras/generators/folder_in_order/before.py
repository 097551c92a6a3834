"""Images of a folder in a fixed order: each process takes its part of every batch."""

from tensorflow import keras
from tensorflow.keras.preprocessing.image import ImageDataGenerator

flow = ImageDataGenerator(rescale=1 / 255).flow_from_directory("images", target_size=(32, 32), shuffle=False)
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(2, activation="softmax")])
model.compile("adam", "categorical_crossentropy")
model.fit(flow, epochs=5, shuffle=False)
