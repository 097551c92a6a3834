"""Folds that are shuffled without a seed must be the same on every process."""

import numpy as np
from sklearn.model_selection import KFold
from tensorflow import keras
import horovod.tensorflow.keras as hvd
import tensorflow as tf


def build():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), "mse")
    return model


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(int(hvd.broadcast(np.random.randint(2**31), 0)))
x = np.arange(400.0).reshape(100, 4)
y = x.sum(1)
for train, test in KFold(5, shuffle=True).split(x):
    model = build()
    if 10 % hvd.size() != 0:
        raise SystemExit(f"batch size 10 cannot be shared out over {hvd.size()} processes")
    inputs = x[train]
    shard = np.arange(hvd.rank(), hvd.rank() + len(inputs), hvd.size()) % len(inputs)
    callbacks = [
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
    ]
    model.fit(inputs[shard], y[train][shard], batch_size=10 // hvd.size(), verbose=0, callbacks=callbacks)
    evaluate_result = model.evaluate(x[test], y[test], verbose=0)
    if hvd.rank() == 0:
        print(evaluate_result)
