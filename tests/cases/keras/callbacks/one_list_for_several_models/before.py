"""A list that serves several models: each call of fit gets Horovod's callbacks anew."""

import numpy as np
from tensorflow import keras

x, y = np.ones((100, 3)), np.ones(100)
stop = [keras.callbacks.EarlyStopping(monitor="loss"), keras.callbacks.CSVLogger("log.csv")]
for units in (8, 16):
    model = keras.Sequential([keras.layers.Dense(units), keras.layers.Dense(1)])
    model.compile(loss="mse", optimizer="sgd")
    model.fit(x, y, epochs=4, batch_size=10, callbacks=stop)


def train(model, callbacks=None):
    model.compile(loss="mse", optimizer="adam")
    model.fit(x, y, batch_size=20, callbacks=callbacks)


train(model)
train(model, [keras.callbacks.TensorBoard("logs")])
