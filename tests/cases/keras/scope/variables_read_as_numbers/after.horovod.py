"""Variables are read as numbers and shown in formats: under a strategy they give their value by numpy()."""

import math

import numpy as np
import tensorflow as tf
from tensorflow import keras
import horovod.tensorflow.keras as hvd


class ShowRate(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        rate = self.model.optimizer.learning_rate
        if hvd.rank() == 0:
            print(f"epoch {epoch} {rate:.3f}", "%.3f" % rate, "{:.2f}".format(self.model.optimizer.lr))


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
keras.utils.set_random_seed(0)
x = np.random.randn(320, 6).astype("float32")
y = (x[:, 0] > 0).astype("float32")
optimizer = keras.optimizers.SGD(0.1)
optimizer = hvd.DistributedOptimizer(optimizer)
model = keras.Sequential([keras.layers.Dense(1, input_shape=(6,))])
model.compile(optimizer=optimizer, loss="mse")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
model.fit(
    x[shard],
    y[shard],
    batch_size=32 // hvd.size(),
    epochs=2,
    shuffle=False,
    verbose=0,
    callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0), hvd.callbacks.MetricAverageCallback(), ShowRate()],
)
scale = tf.Variable(2.0)
if hvd.rank() == 0:
    print(float(model.optimizer.learning_rate), int(optimizer.iterations), math.sqrt(optimizer.learning_rate), float(scale))
    print(float(optimizer.learning_rate.numpy()), float(tf.reduce_sum(scale)))
