"""A list of callbacks with a name, to which more are added."""

import numpy as np
from tensorflow import keras
import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x, y = np.ones((100, 3)), np.ones(100)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(loss="mse", optimizer=hvd.DistributedOptimizer(keras.optimizers.SGD()))
checkpoint = keras.callbacks.ModelCheckpoint("w{epoch}.h5", save_weights_only=True)
reduce = keras.callbacks.ReduceLROnPlateau(monitor="loss")
cbs = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
    *([checkpoint] if hvd.rank() == 0 else []), reduce,
]
if hvd.rank() == 0:
    cbs.append(keras.callbacks.CSVLogger("log.csv"))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
model.fit(x[shard], y[shard], epochs=4, callbacks=cbs, batch_size=32 // hvd.size(), verbose=1 if hvd.rank() == 0 else 0)
