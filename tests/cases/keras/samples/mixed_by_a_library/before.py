"""Images mixed with others of their batch by a layer of another library."""

import keras_cv
import numpy as np
import tensorflow as tf
from tensorflow import keras

x, y = np.zeros((64, 8, 8, 3)), np.zeros((64, 2))
mix = keras_cv.layers.MixUp()
data = tf.data.Dataset.from_tensor_slices({"images": x, "labels": y}).batch(16).map(mix)
data = data.map(lambda mixed: (mixed["images"], mixed["labels"]))
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(2)])
model.compile("sgd", "mse")
model.fit(data)
