"""A loss of the script's own that averages, or leaves the samples to Keras, is the average of the whole."""

import numpy as np
from keras import backend as K
from keras.layers import Dense
from keras.models import Sequential
import horovod.keras as hvd
import tensorflow as tf
from keras.optimizers import SGD


def squared(y_true, y_pred):
    return K.sum(K.square(y_true - y_pred), axis=-1)


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
model = Sequential([Dense(1)])
model.compile(hvd.DistributedOptimizer(SGD()), loss=squared)
if 10 % hvd.size() != 0:
    raise SystemExit(f"batch size 10 cannot be shared out over {hvd.size()} processes")
inputs = np.ones((100, 3))
shard = np.arange(hvd.rank(), hvd.rank() + len(inputs), hvd.size()) % len(inputs)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    inputs[shard],
    np.ones(100)[shard],
    batch_size=10 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
