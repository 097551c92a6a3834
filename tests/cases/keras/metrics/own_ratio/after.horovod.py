"""The recall of the whole is not the average of recalls; an average distance is."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import backend as K
import horovod.tensorflow.keras as hvd
import tensorflow as tf


def recall(y_true, y_pred):
    return K.sum(K.round(y_true * y_pred)) / (K.sum(y_true) + K.epsilon())


def distance(y_true, y_pred):
    return K.mean(K.abs(y_true - y_pred))


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
model = keras.Sequential([keras.layers.Dense(1, activation="sigmoid")])
model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()), "binary_crossentropy", metrics=[distance, recall])
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
inputs = np.ones((320, 4))
shard = np.arange(hvd.rank(), hvd.rank() + len(inputs), hvd.size()) % len(inputs)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    inputs[shard],
    np.ones(320)[shard],
    batch_size=32 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
