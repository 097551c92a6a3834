"""A model is saved to a temporary folder, which is another one on each process, and loaded again."""

import os
import tempfile
import time

import numpy as np
import tensorflow as tf
from tensorflow import keras
import horovod.tensorflow.keras as hvd
from horovod.tensorflow import broadcast_object

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
folder = broadcast_object(tempfile.mkdtemp() if hvd.rank() == 0 else "")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer=hvd.DistributedOptimizer(keras.optimizers.Adam()), loss="mse")
type(model.optimizer).__module__ = "keras.optimizers"  # so that saved models load without Horovod
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
inputs = np.zeros((64, 4))
shard = np.arange(hvd.rank(), hvd.rank() + len(inputs), hvd.size()) % len(inputs)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    inputs[shard],
    np.zeros(64)[shard],
    batch_size=32 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
path = os.path.join(folder, "model.h5")
if hvd.rank() == 0:
    model.save(path)
hvd.allreduce(0.0)
again = keras.models.load_model(path)
begin = broadcast_object(time.time())
exported = "exported/{}".format(int(begin))
if hvd.rank() == 0:
    tf.saved_model.save(model, exported)
hvd.allreduce(0.0)
served = tf.saved_model.load(exported)
