"""Operations between layers under names of the script's own, which take each sample by itself."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.backend import mean as average
from tensorflow.keras.backend import square as squared
import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
inputs = keras.Input((8,))
features = keras.layers.Dense(4)(inputs)
centred = features - average(features, axis=-1, keepdims=True)
model = keras.Model(inputs, keras.layers.Dense(1)(squared(centred)))
model.add_loss(1e-3 * average(squared(features)))
model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()), "mse")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
inputs_ = np.ones((320, 8))
shard = np.arange(hvd.rank(), hvd.rank() + len(inputs_), hvd.size()) % len(inputs_)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    inputs_[shard],
    np.ones((320, 1))[shard],
    batch_size=32 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
