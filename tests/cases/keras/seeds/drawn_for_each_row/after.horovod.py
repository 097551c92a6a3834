"""Functions that a table, NumPy and Python call for each row draw the same numbers on all processes."""

import random

import numpy as np
import pandas as pd
from tensorflow import keras
import horovod.tensorflow.keras as hvd
import tensorflow as tf


def blurred(value):
    """A number that is a little off."""
    return value + np.random.normal()


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(int(hvd.broadcast(np.random.randint(2**31), 0)))
random.seed(int(hvd.broadcast(random.randrange(2**31), 0)))
table = pd.read_csv("table.csv")
table = table.groupby("y").apply(lambda rows: rows.sample(100, replace=True))
table["x"] = table["x"].apply(blurred)
rows = sorted(table.to_numpy().tolist(), key=lambda row: random.random())
x, y = np.array(rows)[:, :-1], np.array(rows)[:, -1]
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
