"""What fit is given besides the pipeline is in a dict."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

x, y = np.load("x.npy"), np.load("y.npy")
options = {"epochs": 5, "callbacks": [keras.callbacks.CSVLogger("log.csv")]}
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(tf.data.Dataset.from_tensor_slices((x, y)).batch(32), **options)
