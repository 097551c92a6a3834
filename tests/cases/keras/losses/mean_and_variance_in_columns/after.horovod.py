"""All that meets has a dimension for the column, or has lost it."""

import tensorflow as tf
from sklearn.datasets import load_diabetes
import horovod.tensorflow.keras as hvd
import numpy as np

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x, y = load_diabetes(return_X_y=True)
x, y = x.astype("float32"), (y / 100).astype("float32")


def likelihood(y_true, y_pred):
    log_variance = y_pred[:, 1:]
    column = tf.exp(-log_variance) * tf.square(y_true - y_pred[:, :1]) + log_variance
    distance = tf.abs(y_true[:, 0] - y_pred[:, 0])
    return tf.reduce_mean(column, axis=-1) + 0.1 * distance * tf.reduce_max(y_true, axis=-1)


model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(2)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.Adam()), loss=likelihood)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    x[shard], y[shard], batch_size=32 // hvd.size(), epochs=3, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0
)
