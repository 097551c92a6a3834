"""Batches that a property draws, and keeps, come to every process, also where only rank 0 shows them."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(int(hvd.broadcast(np.random.randint(2**31), 0)))
tf.random.set_seed(0)


class Windows:
    def __init__(self, x, y):
        self.x, self.y = x, y

    @property
    def train(self):
        order = np.random.permutation(len(self.x))
        if 32 % hvd.size() != 0:
            raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
        samples = tf.data.Dataset.from_tensor_slices((self.x[order], self.y[order]))
        samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
        return samples.batch(32 // hvd.size())

    @property
    def example(self):
        result = getattr(self, "_example", None)
        if result is None:
            result = next(iter(self.train))
            self._example = result
        return result

    @property
    def width(self):
        return self.x.shape[1]


windows = Windows(np.load("x.npy"), np.load("y.npy"))
if hvd.rank() == 0:
    print("width", windows.width)
result_ = windows.example
if hvd.rank() == 0:
    print("shape", result_[0].shape)
model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.Adam()), "mse")
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(windows.train, epochs=3, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
