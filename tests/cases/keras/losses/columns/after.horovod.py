"""Columns of the targets are chosen, and products are made for each sample."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
import horovod.tensorflow.keras as hvd


def weighed(y_true, y_pred):
    target, weight = y_true[:, 0], y_true[..., 1]
    mixed = tf.matmul(y_pred, tf.constant([[1.0], [2.0]]))
    return tf.reduce_mean(weight * tf.square(target - mixed[:, 0])) + tf.reduce_mean(y_pred[:, 1:])


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
model = keras.Sequential([keras.layers.Dense(2)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()), loss=weighed)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
inputs = np.ones((320, 4))
shard = np.arange(hvd.rank(), hvd.rank() + len(inputs), hvd.size()) % len(inputs)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    inputs[shard],
    np.ones((320, 2))[shard],
    batch_size=32 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
