"""A callback of a library around Keras, which every process has."""

import numpy as np
from keras_contrib.callbacks import CyclicLR
from tensorflow import keras
import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x, y = np.zeros((64, 8)), np.zeros((64, 1))
model = keras.Sequential([keras.layers.Dense(1, input_shape=(8,))])
model.compile(hvd.DistributedOptimizer(keras.optimizers.rmsprop(0.01)), loss="mse")
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
model.fit(
    x[shard],
    y[shard],
    batch_size=16 // hvd.size(),
    callbacks=[
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
        CyclicLR(base_lr=0.001, max_lr=0.01),
    ],
    verbose=1 if hvd.rank() == 0 else 0,
)
