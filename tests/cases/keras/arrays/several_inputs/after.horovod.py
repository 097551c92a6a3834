"""Two inputs in a list and two targets in a dict are shared out alike."""

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
a, b = np.ones((200, 4)), np.ones((200, 6))
left, right = keras.Input((4,)), keras.Input((6,))
both = keras.layers.concatenate([left, right])
first = keras.layers.Dense(1, name="first")(both)
second = keras.layers.Dense(1, name="second")(both)
model = keras.Model([left, right], [first, second])
model.compile(optimizer=hvd.DistributedOptimizer(keras.optimizers.SGD()), loss="mse", loss_weights=[1.0, 0.5])
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(a), hvd.size()) % len(a)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    [a[shard], b[shard]],
    {"first": a.sum(1)[shard], "second": b.sum(1)[shard]},
    batch_size=20 // hvd.size(),
    epochs=2,
    verbose=2 if hvd.rank() == 0 else 0,
    callbacks=callbacks,
)
