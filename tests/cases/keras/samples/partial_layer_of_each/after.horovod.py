"""Layers of each sample, made by functools.partial; one of them draws noise and one keeps averages."""

from functools import partial

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
keras.utils.set_random_seed(0)
Hidden = partial(keras.layers.Dense, activation="relu")
Dropped = partial(keras.layers.Dropout, 0.5)
Normalised = partial(keras.layers.BatchNormalization, momentum=0.9)

x, y = np.zeros((64, 8)), np.zeros((64, 1))
model = keras.Sequential([Hidden(4), Normalised(), Dropped(), keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()), "mse")
if hvd.rank() > 0:
    tf.random.set_seed(hvd.rank())
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(x[shard], y[shard], batch_size=16 // hvd.size(), callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
