"""A backup that rank 0 alone would go on from; a strategy's workers keep one together."""

import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer=keras.optimizers.Adam(), loss="mse")
model.fit(np.zeros((64, 4)), np.zeros(64), epochs=5, callbacks=[keras.callbacks.BackupAndRestore("backup")])
