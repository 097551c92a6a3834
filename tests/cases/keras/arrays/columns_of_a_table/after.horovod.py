"""Columns of a table in a dict are taken by position, not by the labels of the rows."""

import pandas as pd
from tensorflow import keras
import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
table = pd.read_csv("patients.csv").sample(frac=1, random_state=1)
target = table.pop("target")
columns = dict(table)
inputs = {name: keras.Input((1,), name=name) for name in columns}
output = keras.layers.Dense(1)(keras.layers.concatenate(list(inputs.values())))
model = keras.Model(inputs, output)
model.compile(optimizer=hvd.DistributedOptimizer(keras.optimizers.Adam()), loss="mse")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(target), hvd.size()) % len(target)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    {name_: np.asarray(part)[shard] for name_, part in columns.items()},
    target.iloc[shard],
    epochs=2,
    batch_size=32 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
