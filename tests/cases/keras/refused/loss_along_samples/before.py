"""The cosine of a column of the batch with another one: along its samples."""

import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.layers.Dense(3, input_shape=(8,))])
model.compile("adam", loss=keras.losses.CosineSimilarity(axis=0))
model.fit(np.zeros((64, 8)), np.zeros((64, 3)), batch_size=16)
