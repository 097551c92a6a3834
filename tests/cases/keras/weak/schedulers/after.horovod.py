"""Rates by the number of the epoch, and rates made of the last one."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.callbacks import LearningRateScheduler
import horovod.tensorflow.keras as hvd
import tensorflow as tf


def steps(epoch):
    return 0.1 if epoch < 10 else 0.01


def slower(epoch, lr):
    if epoch < 10:
        return lr
    return lr * 0.9


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x, y = np.load("x.npy"), np.load("y.npy")
first = keras.Sequential([keras.layers.Dense(1)])
first.compile(hvd.DistributedOptimizer(keras.optimizers.SGD(0.01 * hvd.size())), "mse")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
first.fit(
    x[shard],
    y[shard],
    epochs=30,
    callbacks=[
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
        LearningRateScheduler(lambda epoch: steps(epoch) * hvd.size(), verbose=1 if hvd.rank() == 0 else 0),
    ],
    verbose=1 if hvd.rank() == 0 else 0,
)
second = keras.Sequential([keras.layers.Dense(1)])
second.compile(hvd.DistributedOptimizer(keras.optimizers.SGD(0.1 * hvd.size())), "mse")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
second.fit(
    x[shard],
    y[shard],
    epochs=30,
    callbacks=[
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
        LearningRateScheduler(slower),
        LearningRateScheduler(lambda epoch: (lambda e: 0.5 ** e)(epoch) * hvd.size()),
    ],
    verbose=1 if hvd.rank() == 0 else 0,
)
