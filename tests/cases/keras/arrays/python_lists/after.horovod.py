"""Samples in Python's own lists are rows, not several inputs."""

import numpy as np
from tensorflow import keras
import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
model = keras.Sequential([keras.layers.Dense(4, activation="tanh"), keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()), "mse")
if 4 % hvd.size() != 0:
    raise SystemExit(f"batch size 4 cannot be shared out over {hvd.size()} processes")
inputs = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
shard = np.arange(hvd.rank(), hvd.rank() + len(inputs), hvd.size()) % len(inputs)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    np.asarray(inputs)[shard],
    np.asarray([0.0, 1.0, 1.0, 0.0])[shard],
    batch_size=4 // hvd.size(),
    epochs=100,
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
rows = [[float(word) for word in line.split()] for line in open("data.txt")]
targets = [sum(row) for row in rows]
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
split_ = int(len(targets) * (1 - 0.2))
shard = np.arange(hvd.rank(), hvd.rank() + split_, hvd.size()) % split_
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    np.asarray(rows)[shard],
    np.asarray(targets)[shard],
    epochs=10,
    validation_data=(rows[split_:], targets[split_:]),
    batch_size=32 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
several = [np.array(rows), np.array(rows)]
a, b = keras.Input((2,)), keras.Input((2,))
both = keras.Model([a, b], keras.layers.Add()([a, b]))
both.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()), "mse")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
targets_ = np.array(rows)
shard = np.arange(hvd.rank(), hvd.rank() + len(targets_), hvd.size()) % len(targets_)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
both.fit(
    [part[shard] for part in several],
    targets_[shard],
    epochs=10,
    batch_size=32 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
