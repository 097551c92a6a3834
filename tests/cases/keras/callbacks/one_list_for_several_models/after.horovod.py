"""A list that serves several models: each call of fit gets Horovod's callbacks anew."""

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
x, y = np.ones((100, 3)), np.ones(100)
stop = [
    keras.callbacks.EarlyStopping(monitor="loss"), *([keras.callbacks.CSVLogger("log.csv")] if hvd.rank() == 0 else [])
]
for units in (8, 16):
    model = keras.Sequential([keras.layers.Dense(units), keras.layers.Dense(1)])
    model.compile(loss="mse", optimizer=hvd.DistributedOptimizer(keras.optimizers.SGD()))
    if 10 % hvd.size() != 0:
        raise SystemExit(f"batch size 10 cannot be shared out over {hvd.size()} processes")
    shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
    model.fit(
        x[shard],
        y[shard],
        epochs=4,
        batch_size=10 // hvd.size(),
        callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0), hvd.callbacks.MetricAverageCallback(), *stop],
        verbose=1 if hvd.rank() == 0 else 0,
    )


def train(model, callbacks=None):
    model.compile(loss="mse", optimizer=hvd.DistributedOptimizer(keras.optimizers.Adam()))
    if 20 % hvd.size() != 0:
        raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
    shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
    model.fit(
        x[shard],
        y[shard],
        batch_size=20 // hvd.size(),
        callbacks=[
            hvd.callbacks.BroadcastGlobalVariablesCallback(0), hvd.callbacks.MetricAverageCallback(), *(callbacks or [])
        ],
        verbose=1 if hvd.rank() == 0 else 0,
    )


train(model)
train(model, [*([keras.callbacks.TensorBoard("logs")] if hvd.rank() == 0 else [])])
