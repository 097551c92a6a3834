"""Targets that are computed in the call, in a dict and in a list: the rows are those of the result."""

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
np.random.seed(0)
x = np.random.rand(256, 16).astype("float32")
y = np.random.randint(0, 10, 256)
inputs = keras.Input((16,))
hidden = keras.layers.Dense(8, activation="relu")(inputs)
digit = keras.layers.Dense(10, activation="softmax", name="digit")(hidden)
odd = keras.layers.Dense(1, activation="sigmoid", name="odd")(hidden)
model = keras.Model(inputs, [digit, odd])
model.compile(
    hvd.DistributedOptimizer(keras.optimizers.Adam()), ["sparse_categorical_crossentropy", "binary_crossentropy"]
)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    x[shard],
    {"digit": y[shard], "odd": (y % 2)[shard]},
    batch_size=32 // hvd.size(),
    epochs=2,
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
split = int(len(x) * (1 - 0.25))
shard = np.arange(hvd.rank(), hvd.rank() + split, hvd.size()) % split
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    x[shard],
    [y[shard], (y % 2)[shard]],
    batch_size=32 // hvd.size(),
    epochs=2,
    validation_data=(x[split:], [y[split:], (y % 2)[split:]]),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
