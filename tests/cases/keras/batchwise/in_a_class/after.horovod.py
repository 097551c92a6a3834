"""Trained in a method; the loss is returned to a decision."""

import numpy as np
from tensorflow import keras
import horovod.tensorflow.keras as hvd
import random
import tensorflow as tf


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return np.asarray(batch)[mine]


class Trainer:
    def __init__(self):
        self.model = keras.Sequential([keras.layers.Dense(4, input_shape=(8,)), keras.layers.Dense(1)])
        self.model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), "mse")

    def step(self, x, y):
        return hvd.allreduce(self.model.train_on_batch(share_rows(x), share_rows(y))).numpy().tolist()


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
tf.random.set_seed(int(hvd.broadcast(random.randrange(2**31), 0)))
random.seed(int(hvd.broadcast(random.randrange(2**31), 0)))
np.random.seed(1)
x = np.random.rand(1000, 8)
y = x.sum(axis=1)
trainer = Trainer()
for step in range(1000):
    rows = np.random.choice(1000, 50)
    if trainer.step(x[rows], y[rows]) < 0.01:
        break
if hvd.rank() == 0:
    trainer.model.save_weights("model.h5")
