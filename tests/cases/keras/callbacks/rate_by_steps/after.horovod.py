"""The rate goes up and down by the number of steps, which is equal everywhere; the losses are only kept."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import backend as K
import horovod.tensorflow.keras as hvd
import tensorflow as tf


class Cycle(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.steps = 0
        self.history = {}

    def on_batch_end(self, batch, logs=None):
        self.steps += 1
        for name, value in logs.items():
            self.history.setdefault(name, []).append(value)
        K.set_value(self.model.optimizer.lr, 0.01 * (1 + np.sin(self.steps / 100)))


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), "mse")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
model.fit(
    x[shard],
    y[shard],
    epochs=5,
    callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0), hvd.callbacks.MetricAverageCallback(), Cycle()],
    batch_size=32 // hvd.size(),
    verbose=1 if hvd.rank() == 0 else 0,
)
