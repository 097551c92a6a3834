"""Functions that are layers, or part of one, draw noise as layers do."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
tf.random.set_seed(3)
x, y = np.ones((100, 3), dtype="float32"), np.ones(100)


def sample(parts):
    mean, spread = parts
    return mean + spread * K.random_normal(K.shape(mean))


inputs = tf.keras.Input((3,))
dense = tf.keras.layers.Dense(2)
drawn = tf.keras.layers.Lambda(sample)([dense(inputs), dense(inputs)])
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(drawn))
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.Adam()), "mse")
if hvd.rank() > 0:
    tf.random.set_seed(3 + hvd.rank())
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(x[shard], y[shard], batch_size=20 // hvd.size(), callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
