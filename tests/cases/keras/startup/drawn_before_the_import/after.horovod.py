"""Data that is read, printed and shuffled before Keras is imported."""

import os

import numpy as np
import horovod.tensorflow.keras as hvd
import tensorflow as tf
from tensorflow.keras.optimizers import Adam

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"


def load():
    """Samples and targets."""
    if hvd.rank() == 0:
        print("reading")
    return np.load("x.npy"), np.load("y.npy")


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(int(hvd.broadcast(np.random.randint(2**31), 0)))
x, y = load()
order = np.random.permutation(len(x))
x, y = x[order], y[order]
x_train, y_train, x_test, y_test = x[100:], y[100:], x[:100], y[:100]

from tensorflow import keras

model = keras.Sequential([keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(Adam()), loss="mse")
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x_train), hvd.size()) % len(x_train)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    x_train[shard],
    y_train[shard],
    batch_size=8 // hvd.size(),
    validation_data=(x_test, y_test),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
