"""An optimizer of another library, with a schedule of that library."""

import numpy as np
import tensorflow_addons as tfa
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
rate = tfa.optimizers.TriangularCyclicalLearningRate(0.001, 0.1, step_size=8)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.get(tfa.optimizers.LAMB(rate))), "mse")
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(x[shard], y[shard], batch_size=16 // hvd.size(), callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
