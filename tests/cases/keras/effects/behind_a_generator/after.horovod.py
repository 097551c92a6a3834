"""What stands behind a generator that ends by raising something is done all the same."""

import contextlib

import numpy as np
import pandas as pd
from tensorflow import keras
import horovod.tensorflow.keras as hvd
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
    if hvd.rank() == 0:
        print("there is no", path)
    return np.zeros((64, 3))


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x, y = load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), loss="mse")
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(x[shard], y[shard], batch_size=8 // hvd.size(), callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
found = []
for part in parts(x, 16):
    found.extend(model.predict(part, verbose="auto" if hvd.rank() == 0 else 0))
if hvd.rank() == 0:
    print(len(found))
    pd.DataFrame(found).to_csv("found.csv")
