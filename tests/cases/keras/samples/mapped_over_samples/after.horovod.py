"""A function mapped over samples takes the mean of each from itself, and one over batches their elements."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
import horovod.tensorflow.keras as hvd


def centred(x, y):
    return x - tf.reduce_mean(x), y


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
data = tf.data.Dataset.from_tensor_slices((np.ones((320, 4)), np.ones((320, 1))))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
data = data.concatenate(data.take(-len(data) % hvd.size())).shard(hvd.size(), hvd.rank())
data = data.map(centred).shuffle(320).batch(32 // hvd.size())
data = data.map(lambda x, y: (x / tf.reduce_sum(x, axis=-1, keepdims=True), y))
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()), "mse")
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(data, epochs=2, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
