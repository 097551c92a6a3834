"""Rows, heads and products of time steps stay within a sample, whose shape is known or not."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
heads, width = 2, 16


class Attention(layers.Layer):
    def __init__(self):
        super().__init__()
        self.project = layers.Dense(width)

    def split(self, z, steps):
        return tf.transpose(tf.reshape(z, [-1, steps, heads, width // heads]), [0, 2, 1, 3])

    def call(self, inputs):
        z = self.project(inputs)
        steps = tf.shape(z)[1]
        parts = self.split(z, steps)
        weights = tf.nn.softmax(tf.matmul(parts, parts, transpose_b=True))
        return tf.reshape(tf.transpose(tf.matmul(weights, parts), [0, 2, 1, 3]), [-1, steps, width])


inputs = keras.Input((10, 8))
hidden = Attention()(layers.LSTM(width, return_sequences=True)(inputs))
hidden = layers.Lambda(lambda z: tf.matmul(z, z, transpose_a=True))(hidden)
hidden = layers.Dense(2 * width)(layers.Flatten()(hidden))
halves = layers.Lambda(lambda z: tf.reshape(z, [-1, 2, width]))(hidden)
rows = layers.Lambda(lambda z: tf.reshape(z, [tf.shape(z)[0], -1]))(halves)
model = keras.Model(inputs, layers.Dense(1)(rows))
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), loss="mse")
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
