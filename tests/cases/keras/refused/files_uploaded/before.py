"""A notebook of Colab asks its user for a file."""

import numpy as np
from google.colab import files
from tensorflow import keras

files.upload()
x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1, input_shape=(3,))])
model.compile("adam", loss="mse")
model.fit(x, y, batch_size=8)
