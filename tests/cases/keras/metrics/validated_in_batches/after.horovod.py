"""A metric of the script's own is averaged over batches, so those of validation keep their size."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd


def rmse(y_true, y_pred):
    return tf.sqrt(tf.reduce_mean(tf.square(y_true - y_pred)))


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x, y = np.load("x.npy"), np.load("y.npy")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.Adam()), "mse", metrics=[rmse])
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
split = int(len(x) * (1 - 0.2))
shard = np.arange(hvd.rank(), hvd.rank() + split, hvd.size()) % split
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    x[shard],
    y[shard],
    batch_size=64 // hvd.size(),
    epochs=5,
    validation_data=(x[split:], y[split:]),
    validation_batch_size=64,
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
