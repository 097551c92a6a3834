"""A layer is told to work along the first axis, that of the samples; joined along another, samples stay apart."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

inputs = keras.Input((4,))
joined = layers.Concatenate(axis=1)([layers.Dense(4)(inputs), inputs])
weights = layers.Softmax(axis=0)(joined)
model = keras.Model(inputs, layers.Dense(1)(weights))
model.compile(optimizer="sgd", loss="mse")
model.fit(np.zeros((64, 4)), np.zeros((64, 1)), batch_size=16)
