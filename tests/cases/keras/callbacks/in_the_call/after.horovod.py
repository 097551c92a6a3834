"""What writes belongs to rank 0, what decides to all, behind averaged metrics."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.callbacks import EarlyStopping, ModelCheckpoint, TensorBoard
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
if 10 % hvd.size() != 0:
    raise SystemExit(f"batch size 10 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
model.fit(
    x[shard],
    y[shard],
    batch_size=10 // hvd.size(),
    validation_data=(x, y),
    callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0), hvd.callbacks.MetricAverageCallback(), *([TensorBoard("logs")] if hvd.rank() == 0 else []), EarlyStopping(patience=2, verbose=1 if hvd.rank() == 0 else 0), *([ModelCheckpoint("best.h5")] if hvd.rank() == 0 else [])],
    verbose=1 if hvd.rank() == 0 else 0,
)
hvd.allreduce(0.0)
model.load_weights("best.h5")
