"""A model for one sample at a time is made beside the one that is fitted."""

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
dense = keras.layers.Dense(1)
one = keras.Input(batch_shape=(1, 10))
single = keras.Model(one, dense(one))
inputs = keras.Input((10,))
model = keras.Model(inputs, dense(inputs))
model.compile(optimizer=hvd.DistributedOptimizer(keras.optimizers.SGD()), loss="mse")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
inputs_ = np.zeros((64, 10))
shard = np.arange(hvd.rank(), hvd.rank() + len(inputs_), hvd.size()) % len(inputs_)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    inputs_[shard],
    np.zeros(64)[shard],
    batch_size=32 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
predict_result = single.predict(np.zeros((1, 10)), verbose="auto" if hvd.rank() == 0 else 0)
if hvd.rank() == 0:
    print(predict_result)
