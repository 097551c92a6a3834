"""Callbacks that write are added to the list in several ways."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.callbacks import CSVLogger, EarlyStopping, LambdaCallback, ModelCheckpoint, TensorBoard
import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()), "mse")
callbacks = [EarlyStopping(monitor="loss")]
callbacks += [
    *([LambdaCallback(on_epoch_end=lambda epoch, logs: print(epoch, logs["loss"]))] if hvd.rank() == 0 else [])
]
callbacks.extend([*([CSVLogger("log.csv")] if hvd.rank() == 0 else []), EarlyStopping(monitor="mae")])
if hvd.rank() == 0:
    callbacks.insert(0, ModelCheckpoint("best.h5"))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
model.fit(
    x[shard],
    y[shard],
    callbacks=[
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
        *callbacks + [*([TensorBoard("logs")] if hvd.rank() == 0 else [])],
    ],
    batch_size=32 // hvd.size(),
    verbose=1 if hvd.rank() == 0 else 0,
)
