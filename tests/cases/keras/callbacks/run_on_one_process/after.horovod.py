"""A lambda that prints is called on rank 0 alone; under a strategy a model is run by all workers."""

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
x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), "mse")
show = keras.callbacks.LambdaCallback(
    on_epoch_end=lambda epoch, logs: print(epoch, model.predict(x[:4], verbose="auto" if hvd.rank() == 0 else 0))
)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
model.fit(
    x[shard],
    y[shard],
    epochs=5,
    callbacks=[
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
        *([show] if hvd.rank() == 0 else []),
    ],
    batch_size=32 // hvd.size(),
    verbose=1 if hvd.rank() == 0 else 0,
)
