"""Keras 2 cannot load this format under a strategy."""

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
best = keras.callbacks.ModelCheckpoint("best.weights.h5", save_best_only=True, save_weights_only=True)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), "mse")
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
split = int(len(x) * (1 - 0.2))
shard = np.arange(hvd.rank(), hvd.rank() + split, hvd.size()) % split
model.fit(
    x[shard],
    y[shard],
    batch_size=20 // hvd.size(),
    validation_data=(x[split:], y[split:]),
    callbacks=[
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
        *([best] if hvd.rank() == 0 else []),
    ],
    verbose=1 if hvd.rank() == 0 else 0,
)
hvd.allreduce(0.0)
model.load_weights("best.weights.h5")
