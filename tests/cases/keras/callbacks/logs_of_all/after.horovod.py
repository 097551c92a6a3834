"""A callback that all processes have puts a number into the logs, by which another one ends training."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x, y = np.ones((100, 3)), np.ones(100)


class Spread(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        logs["spread"] = float(self.model.predict(x, verbose=0).std())


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.Adam()), "mse")
stop = tf.keras.callbacks.EarlyStopping(monitor="spread", mode="min")
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
model.fit(
    x[shard],
    y[shard],
    batch_size=20 // hvd.size(),
    epochs=5,
    callbacks=[
        hvd.callbacks.BroadcastGlobalVariablesCallback(0), hvd.callbacks.MetricAverageCallback(), Spread(), stop
    ],
    verbose=1 if hvd.rank() == 0 else 0,
)
