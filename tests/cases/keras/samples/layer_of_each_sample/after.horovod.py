"""A layer that works with each sample by itself."""

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


class Mixed(tf.keras.layers.Layer):
    def call(self, inputs):
        clipped = tf.clip_by_norm(inputs, 1.0, axes=-1)
        ordered = tf.sort(inputs[:, 2:], axis=-1)
        first, *_ = tf.split(inputs, 4, axis=-1)[:2]
        return tf.concat([tf.linalg.normalize(clipped, axis=1)[0], ordered, tf.reshape(inputs, [-1, 8]), first], 1)


model = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(10,)), Mixed(), tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD()), "mse")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    x[shard],
    x.sum(1)[shard],
    batch_size=32 // hvd.size(),
    epochs=3,
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
