"""Inputs in a list, targets in a dict, weights of samples, a result that is a dict."""

import numpy as np
from tensorflow import keras
import horovod.tensorflow.keras as hvd
import random
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(int(hvd.broadcast(np.random.randint(2**31), 0)))
tf.random.set_seed(int(hvd.broadcast(random.randrange(2**31), 0)))
random.seed(int(hvd.broadcast(random.randrange(2**31), 0)))
first, second, y = np.load("a.npy"), np.load("b.npy"), np.load("y.npy")
a, b = keras.Input((4,)), keras.Input((4,))
out = keras.layers.Dense(1, name="out")(keras.layers.concatenate([a, b]))
model = keras.Model([a, b], out)
model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()), "mse")


def share_rows(batch):
    rows = len(tf.nest.flatten(batch)[0])
    mine = np.arange(hvd.rank(), hvd.rank() + rows, hvd.size()) % rows
    return tf.nest.map_structure(lambda part: np.asarray(part)[mine], batch)


for step in range(100):
    rows = slice(step * 32, (step + 1) * 32)
    logs = {key: hvd.allreduce(value).numpy().tolist() for key, value in model.train_on_batch(share_rows([first[rows], second[rows]]), share_rows({"out": y[rows]}), sample_weight=share_rows(np.ones(32)), return_dict=True).items()}
    if hvd.rank() == 0:
        print(logs)
