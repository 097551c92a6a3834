"""Layers and the script add averages over the batch to the loss: they are averages of averages."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
import horovod.tensorflow.keras as hvd


class Quantized(keras.layers.Layer):
    def __init__(self, beta):
        super().__init__()
        self.beta = beta
        self.codes = tf.Variable(tf.ones((4, 2)))

    def call(self, inputs):
        codes = tf.gather(self.codes, tf.argmax(inputs, axis=-1))
        commitment = tf.reduce_mean(tf.square(tf.stop_gradient(codes) - inputs[:, :2]))
        codebook = tf.reduce_mean(tf.square(codes - tf.stop_gradient(inputs[:, :2])))
        self.add_loss(self.beta * commitment + codebook)
        self.add_loss(1e-3 * tf.reduce_sum(tf.square(self.codes)))
        return codes


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
inputs = keras.Input((4,))
hidden = Quantized(0.25)(inputs)
outputs = keras.layers.Dense(4)(hidden)
model = keras.Model(inputs, outputs)
model.add_loss(tf.reduce_mean(tf.reduce_sum(tf.square(inputs - outputs), axis=-1)))
model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
inputs_ = np.ones((320, 4))
shard = np.arange(hvd.rank(), hvd.rank() + len(inputs_), hvd.size()) % len(inputs_)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(inputs_[shard], batch_size=32 // hvd.size(), callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
