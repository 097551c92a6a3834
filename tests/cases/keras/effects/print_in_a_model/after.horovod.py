"""A model that prints what shape its input has: Keras calls it, on every process, with a part of the batch."""

import numpy as np
from tensorflow import keras
import horovod.tensorflow.keras as hvd
import tensorflow as tf


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.out = keras.layers.Dense(1)

    def call(self, inputs, training=None):
        if hvd.rank() == 0:
            print(inputs.shape)
        return self.out(inputs)

    def describe(self):
        print("a linear model")


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x, y = np.load("x.npy"), np.load("y.npy")
model = Net()
model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()), "mse")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    x[shard], y[shard], epochs=3, batch_size=32 // hvd.size(), callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0
)
