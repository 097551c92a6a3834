"""Columns of the batch one by one, and a penalty on weights: still an average over samples."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x = np.random.default_rng(0).normal(size=(640, 10))
y = x[:, :2]


def loss(y_true, y_pred):
    first = tf.square(y_true[:, 0] - y_pred[:, 0])
    second = tf.abs(y_true[:, 1] - y_pred[:, 1])
    penalty = tf.add_n([tf.nn.l2_loss(weights) for weights in model.trainable_variables])
    return tf.reduce_mean(first) + tf.reduce_mean(second) + 1e-4 * penalty


model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(10,))])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD()), loss)
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
