"""Windows of a series, made by Keras' own Sequence."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.preprocessing.sequence import TimeseriesGenerator

series = np.load("series.npy")
windows = TimeseriesGenerator(series, series, length=10, batch_size=32)
model = keras.Sequential([keras.layers.LSTM(8, input_shape=(10, 1)), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(windows, epochs=5)
