"""Keras 2 cannot load this format under a strategy."""

import numpy as np
from tensorflow import keras

x, y = np.ones((100, 3)), np.ones(100)
best = keras.callbacks.ModelCheckpoint("best.weights.h5", save_best_only=True, save_weights_only=True)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, batch_size=20, validation_split=0.2, callbacks=[best])
model.load_weights("best.weights.h5")
