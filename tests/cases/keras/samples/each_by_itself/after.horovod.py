"""Reductions of each sample by itself, of weights, and of shapes; what is only shown of a batch."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
import horovod.tensorflow.keras as hvd


class Attention(keras.layers.Layer):
    def build(self, shape):
        self.scale = self.add_weight(name="scale", shape=(shape[-1],), initializer="ones")

    def call(self, inputs, training=None):
        weights = tf.exp(inputs * tf.reduce_sum(self.scale))
        weights = weights / tf.reduce_sum(weights, axis=1, keepdims=True)
        self.add_metric(tf.reduce_mean(weights), name="weight")
        return tf.reshape(inputs * weights, (tf.shape(inputs)[0], -1))


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
inputs = keras.Input((8,))
hidden = Attention()(inputs)
hidden = hidden - tf.reduce_mean(hidden, axis=1, keepdims=True)
model = keras.Model(inputs, keras.layers.Dense(1)(hidden))
model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()), "mse")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
inputs_ = np.ones((320, 8))
shard = np.arange(hvd.rank(), hvd.rank() + len(inputs_), hvd.size()) % len(inputs_)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    inputs_[shard],
    np.ones((320, 1))[shard],
    batch_size=32 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
