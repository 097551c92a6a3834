"""A callback of the script's own runs everywhere, and says what it says once."""

import numpy as np
from tensorflow import keras
import horovod.tensorflow.keras as hvd
import tensorflow as tf


class Report(keras.callbacks.Callback):
    def __init__(self, goal):
        super().__init__()
        self.goal = goal

    def on_epoch_end(self, epoch, logs=None):
        if hvd.rank() == 0:
            print("epoch", epoch, "loss", logs["loss"])
        if logs["loss"] < self.goal:
            self.model.stop_training = True


def rate(epoch):
    if hvd.rank() == 0:
        print("rate of epoch", epoch)
    return 0.1 / (1 + epoch)


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x, y = np.ones((100, 3)), np.ones(100)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(loss="mse", optimizer=hvd.DistributedOptimizer(keras.optimizers.SGD()))
shown = keras.callbacks.LambdaCallback(on_train_end=lambda logs: print("done"))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
model.fit(
    x[shard],
    y[shard],
    epochs=4,
    callbacks=[
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
        Report(0.1),
        keras.callbacks.LearningRateScheduler(rate),
        *([shown] if hvd.rank() == 0 else []),
    ],
    batch_size=32 // hvd.size(),
    verbose=1 if hvd.rank() == 0 else 0,
)
