"""Rows of what one sample has, and samples in their own rows again: nothing meets."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x = np.load("x.npy")
y = np.load("y.npy")


def parts_differ(y_true, y_pred):
    parts = tf.reshape(y_pred, [-1, 2, 16])
    flat = tf.reshape(parts, [-1, 16])
    again = tf.reshape(flat, [tf.shape(flat)[0] // 2, 2, 16])
    same = tf.reshape(y_pred, [-1, 1, y_pred.shape[-1]])
    difference = tf.reduce_sum(tf.abs(again[:, 0] - parts[:, 1]), axis=-1)
    return difference + tf.reduce_mean(tf.square(same[:, 0]), axis=-1)


model = keras.Sequential([keras.Input((20,)), keras.layers.Dense(64, activation="relu"), keras.layers.Dense(32)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), loss=parts_differ)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    x[shard], y[shard], batch_size=32 // hvd.size(), epochs=5, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0
)
