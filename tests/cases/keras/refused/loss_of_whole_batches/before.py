"""Dice as Keras 3 has it sums over the whole batch unless it is given axes."""

import keras
import numpy as np

x, y = np.zeros((64, 8, 8, 3)), np.zeros((64, 8, 8, 1))
model = keras.Sequential([keras.layers.Conv2D(1, 3, padding="same")])
model.compile("adam", loss=keras.losses.Dice())
model.fit(x, y, batch_size=16)
