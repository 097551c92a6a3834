"""A layer calls a loss object and adds the result: right on processes, divided twice under a strategy."""

import numpy as np
from tensorflow import keras
import horovod.tensorflow.keras as hvd
import tensorflow as tf


class Endpoint(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.loss_of = keras.losses.MeanSquaredError()

    def call(self, inputs):
        targets, outputs = inputs
        self.add_loss(self.loss_of(targets, outputs))
        return outputs


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x, y = keras.Input((4,)), keras.Input((1,))
model = keras.Model([x, y], Endpoint()([y, keras.layers.Dense(1)(x)]))
model.compile(optimizer=hvd.DistributedOptimizer(keras.optimizers.Adam()))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(np.zeros((64, 4))), hvd.size()) % len(np.zeros((64, 4)))
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    [np.zeros((64, 4))[shard], np.zeros((64, 1))[shard]],
    batch_size=32 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
