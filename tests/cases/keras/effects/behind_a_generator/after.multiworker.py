"""What stands behind a generator that ends by raising something is done all the same."""

import contextlib

import numpy as np
import pandas as pd
from tensorflow import keras
import tensorflow as tf


def parts(x, size):
    """Some rows after the other."""
    for begin in range(0, len(x), size):
        yield x[begin : begin + size]
    raise StopIteration


def load(path):
    """What a file holds, or zeros."""
    with contextlib.suppress(FileNotFoundError):
        return np.load(path)
    if strategy.extended.should_checkpoint:
        print("there is no", path)
    return np.zeros((64, 3))


strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
x, y = load("x.npy"), np.load("y.npy")
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("adam", loss="mse")
model.fit(x, y, batch_size=8, verbose=1 if strategy.extended.should_checkpoint else 0)
found = []
for part in parts(x, 16):
    found.extend(model.predict(part, verbose="auto" if strategy.extended.should_checkpoint else 0))
if strategy.extended.should_checkpoint:
    print(len(found))
    pd.DataFrame(found).to_csv("found.csv")
