"""Cuts, softmax and other reversals of what each sample has: an average over samples."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x = np.load("x.npy")
y = np.load("y.npy")


def measure(y_true, y_pred):
    position, size = tf.split(y_pred, 2, axis=-1)
    far = tf.reduce_sum(tf.square(position - y_true[:, :2]), axis=-1)
    return far + tf.reduce_sum(tf.nn.softmax(size, axis=-1) * tf.reverse(y_true[:, 2:], axis=[-1]), axis=-1)


model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(4)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.Adam()), loss=measure)
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
