"""Callbacks that write are added to the list in several ways."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.callbacks import CSVLogger, EarlyStopping, LambdaCallback, ModelCheckpoint, TensorBoard

x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
callbacks = [EarlyStopping(monitor="loss")]
callbacks += [LambdaCallback(on_epoch_end=lambda epoch, logs: print(epoch, logs["loss"]))]
callbacks.extend([CSVLogger("log.csv"), EarlyStopping(monitor="mae")])
callbacks.insert(0, ModelCheckpoint("best.h5"))
model.fit(x, y, callbacks=callbacks + [TensorBoard("logs")])
