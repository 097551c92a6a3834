"""Batches out of a generator and out of a pipeline; nothing of what comes back is used."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd
import random


def batches(x, y):
    while True:
        rows = np.random.permutation(len(x))[:32]
        yield x[rows], y[rows]


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(int(hvd.broadcast(np.random.randint(2**31), 0)))
tf.random.set_seed(int(hvd.broadcast(random.randrange(2**31), 0)))
random.seed(int(hvd.broadcast(random.randrange(2**31), 0)))
x, y = np.load("x.npy"), np.load("y.npy")
model = tf.keras.Sequential([tf.keras.layers.Dense(1), tf.keras.layers.Dropout(0.5)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD()), "mse")
source = batches(x, y)


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return np.asarray(batch)[mine]


for step in range(100):
    inputs, targets = next(source)
    model.train_on_batch(share_rows(inputs), share_rows(targets))
for inputs, targets in tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).batch(32):
    model.train_on_batch(share_rows(inputs), share_rows(targets))
