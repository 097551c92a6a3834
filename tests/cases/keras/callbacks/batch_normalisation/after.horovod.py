"""Where a model with batch normalisation validates, all processes take rank 0's moving averages first."""

import numpy as np
from tensorflow import keras
import horovod.tensorflow.keras as hvd
import tensorflow as tf
from horovod.tensorflow import broadcast_variables

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x, y = np.load("x.npy"), np.load("y.npy")


class Trainer:
    def __init__(self, units):
        self.net = keras.Sequential(
            [keras.layers.Dense(units), keras.layers.BatchNormalization(), keras.layers.Dense(1)]
        )
        self.net.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()), "mse")

    def train(self, stopping):
        if 32 % hvd.size() != 0:
            raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
        split = int(len(x) * (1 - 0.25))
        shard = np.arange(hvd.rank(), hvd.rank() + split, hvd.size()) % split
        return self.net.fit(x[shard], y[shard], epochs=9, validation_data=(x[split:], y[split:]), callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0), hvd.callbacks.MetricAverageCallback(), keras.callbacks.LambdaCallback(on_test_begin=lambda logs: broadcast_variables(self.net.non_trainable_variables, root_rank=0)), stopping], batch_size=32 // hvd.size(), verbose=1 if hvd.rank() == 0 else 0)


model = keras.Sequential([keras.layers.Dense(8), keras.layers.BatchNormalization(), keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()), "mse")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks_ = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
    keras.callbacks.LambdaCallback(
        on_test_begin=lambda logs: broadcast_variables(model.non_trainable_variables, root_rank=0)
    ),
]
model.fit(
    x[shard],
    y[shard],
    epochs=3,
    validation_data=(x, y),
    batch_size=32 // hvd.size(),
    callbacks=callbacks_,
    verbose=1 if hvd.rank() == 0 else 0,
)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks_ = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    x[shard],
    y[shard],
    epochs=3,
    validation_data=None,
    batch_size=32 // hvd.size(),
    callbacks=callbacks_,
    verbose=1 if hvd.rank() == 0 else 0,
)
Trainer(4).train(keras.callbacks.EarlyStopping(patience=1))
