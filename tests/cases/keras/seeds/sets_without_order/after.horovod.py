"""Sets whose order does not show, or is set right."""

import numpy as np
import pandas as pd
from tensorflow import keras
import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
table = pd.read_csv("table.csv")
wanted = open("wanted.txt").read().split()
names = list(set(wanted) & {"a", "b", "c"})
names.sort()
table = table.drop(list(set(wanted) - {"a"}), axis=1)
table = table.drop(columns=[name for name in set(wanted) - set(names)])
first = sorted(set(wanted), key=wanted.index) + sorted(set(wanted) - {"a"}, key=lambda name: (len(name), name))
if hvd.rank() == 0:
    print(len(list(set(wanted) | set(first))), list(set(wanted)))
numbers = [number for number in set(range(10)) - {3}]
others = [name for name in set(wanted).difference(names)]
others = sorted(others)


def unused(text):
    """Nobody asks for this."""
    return list(set(text))


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), loss="mse")
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(table["y"].values), hvd.size()) % len(table["y"].values)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    table[names].values[shard],
    table["y"].values[shard],
    batch_size=8 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
