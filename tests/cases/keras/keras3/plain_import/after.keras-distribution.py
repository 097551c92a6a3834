"""Where Keras is imported by itself, both versions can be meant."""

import keras
import numpy as np

keras.distribution.set_distribution(keras.distribution.DataParallel())
inputs = keras.Input((4,))
model = keras.Model(inputs, keras.layers.Dense(1)(inputs))
model.compile(optimizer="adam", loss="mse")
model.fit(np.ones((64, 4)), np.ones(64), batch_size=16)
