"""Whether rank 0 has saved a model is asked by all, when it has."""

import os

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
x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), "mse")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
model.fit(
    x[shard],
    y[shard],
    epochs=5,
    callbacks=[
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
        *([keras.callbacks.ModelCheckpoint("best.h5", save_best_only=True)] if hvd.rank() == 0 else []),
    ],
    batch_size=32 // hvd.size(),
    verbose=1 if hvd.rank() == 0 else 0,
)
hvd.allreduce(0.0)
if os.path.exists("best.h5"):
    hvd.allreduce(0.0)
    model.load_weights("best.h5")
if hvd.rank() == 0:
    if not os.path.exists("out"):
        os.makedirs("out")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks_ = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    x[shard], y[shard], epochs=5, batch_size=32 // hvd.size(), callbacks=callbacks_, verbose=1 if hvd.rank() == 0 else 0
)
