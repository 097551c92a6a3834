"""Attention, cuts and products within each sample: nothing meets."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd


class Mine(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.project = tf.keras.layers.Dense(8)

    def call(self, inputs):
        z = self.project(inputs)
        values = tf.reshape(z, [-1, 4, 2])
        weights = tf.nn.softmax(tf.matmul(values, values, transpose_b=True), axis=-1)
        left, right = tf.split(tf.matmul(weights, values), 2, axis=-1)
        both = tf.einsum("bij,bij->bi", left, right) + tf.einsum("bi,ij->bj", z[:, :4], tf.eye(4))
        return both + tf.cumsum(z[:, 4:], axis=1)


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
model = tf.keras.Sequential([Mine(), tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.Adam()), loss="mse")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
inputs_ = np.load("x.npy")
shard = np.arange(hvd.rank(), hvd.rank() + len(inputs_), hvd.size()) % len(inputs_)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    inputs_[shard],
    np.load("y.npy")[shard],
    batch_size=32 // hvd.size(),
    epochs=5,
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
