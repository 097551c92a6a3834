"""Samples are put in another order, without a seed, after each call of fit; what is drawn at the end is only shown."""

import random

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
np.random.seed(int(hvd.broadcast(np.random.randint(2**31), 0)))
x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()), "mse")
for epoch in range(10):
    if 32 % hvd.size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
    shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
    callbacks = [
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
    ]
    model.fit(
        x[shard],
        y[shard],
        epochs=1,
        batch_size=32 // hvd.size(),
        callbacks=callbacks,
        verbose=1 if hvd.rank() == 0 else 0,
    )
    order = np.random.permutation(len(x))
    x, y = x[order], y[order]
predict_result = model.predict(x[random.randrange(len(x))][None], verbose="auto" if hvd.rank() == 0 else 0)
if hvd.rank() == 0:
    print(predict_result)
