"""The number of batches is given in the place of their size."""

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
model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()), "mse")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
if -(-len(x) // 10) % hvd.size() != 0:
    raise SystemExit(f"batch size {-(-len(x) // 10)} cannot be shared out over {hvd.size()} processes")
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(x[shard], y[shard], epochs=2, steps_per_epoch=10, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
