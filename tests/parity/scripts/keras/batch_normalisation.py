"""Batch normalisation: processes validate with the same moving averages; models are made between trainings."""

import numpy as np
from tensorflow import keras

x, y = np.random.default_rng(0).normal(size=(96, 4)).astype("float32"), np.arange(96.0, dtype="float32")[:, None] / 96


def build(units):
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(units), keras.layers.BatchNormalization(), keras.layers.Dense(1)])
    model.compile(keras.optimizers.SGD(0.1), "mse")
    return model


keras.utils.set_random_seed(1)
model = build(8)
model.fit(x[:64], y[:64], batch_size=16, epochs=2, validation_data=(x[64:], y[64:]))
stopping = [keras.callbacks.EarlyStopping(patience=1)]
for units in (2, 4):
    small = build(units)
    small.fit(x, y, batch_size=16, epochs=2, validation_split=0.25, callbacks=stopping)
model.fit(x, y, batch_size=16, epochs=1)
print(model.evaluate(x[64:], y[64:], verbose=0))
