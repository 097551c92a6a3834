"""A callback keeps what it is told of an epoch, and ends training by it; what it is told of a batch it shows."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd


class Stop(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        if self.losses and logs["loss"] > self.losses[-1]:
            self.model.stop_training = True
        self.losses.append(logs["loss"])

    def on_train_begin(self, logs=None):
        self.losses = []

    def on_train_batch_end(self, batch, logs=None):
        self.last = logs["loss"]

    def on_train_end(self, logs=None):
        if hvd.rank() == 0:
            print("last batch", self.last)


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x, y = np.ones((100, 3)), np.ones(100)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.Adam()), "mse")
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
model.fit(
    x[shard],
    y[shard],
    batch_size=20 // hvd.size(),
    epochs=5,
    callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0), hvd.callbacks.MetricAverageCallback(), Stop()],
    verbose=1 if hvd.rank() == 0 else 0,
)
