"""A callback that writes comes to fit without having been in a list."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.callbacks import EarlyStopping, ModelCheckpoint

x, y = np.load("x.npy"), np.load("y.npy")
stop, save = EarlyStopping(monitor="loss"), ModelCheckpoint("best.h5")
callbacks = [callback for callback in (stop, save) if callback is not None]
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, epochs=5, callbacks=callbacks)
