"""Functions that are layers: one puts two samples into a row, as each has 16 numbers."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import Sequential
from tensorflow.keras.layers import Dense, Flatten, Lambda

width = 16
model = Sequential()
model.add(Flatten())
model.add(Dense(width, activation="relu"))
model.add(Lambda(lambda z: tf.nn.l2_normalize(z, axis=1)))
model.add(Lambda(lambda z: tf.reshape(z, (-1, 2, width))))
model.add(Flatten())
model.add(Dense(1))
model.compile("adam", loss="mse")
model.fit(np.load("x.npy"), np.load("y.npy"), batch_size=32, epochs=5)
