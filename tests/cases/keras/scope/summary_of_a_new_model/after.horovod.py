"""A model that is made and printed in one statement: one device after the other says it."""

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
inputs = keras.Input((4,))
hidden = keras.layers.Dense(2)(inputs)
Model_result = keras.Model(inputs, hidden)
if hvd.rank() == 0:
    Model_result.summary()
model = keras.Model(inputs, keras.layers.Dense(1)(hidden))
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), "mse")
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
inputs_ = np.ones((64, 4))
shard = np.arange(hvd.rank(), hvd.rank() + len(inputs_), hvd.size()) % len(inputs_)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    inputs_[shard],
    np.ones(64)[shard],
    batch_size=16 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
