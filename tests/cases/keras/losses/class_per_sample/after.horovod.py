"""A loss that is a class and gives one number for each sample: Keras averages them."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
import horovod.tensorflow.keras as hvd


class Distance(keras.losses.Loss):
    def __init__(self, scale=1.0):
        super().__init__()
        self.scale = scale

    def call(self, y_true, y_pred):
        return self.scale * tf.sqrt(tf.reduce_sum(tf.square(y_true - y_pred), axis=-1))


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
model = keras.Sequential([keras.layers.Dense(2)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()), loss=Distance(0.5))
if 10 % hvd.size() != 0:
    raise SystemExit(f"batch size 10 cannot be shared out over {hvd.size()} processes")
inputs = np.ones((100, 3))
shard = np.arange(hvd.rank(), hvd.rank() + len(inputs), hvd.size()) % len(inputs)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    inputs[shard],
    np.ones((100, 2))[shard],
    batch_size=10 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
