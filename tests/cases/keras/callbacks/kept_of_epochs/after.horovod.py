"""What a callback keeps of epochs is averaged, and good for a decision and a rate; what it keeps of batches is drawn."""

import matplotlib.pyplot as plt
import numpy as np
from tensorflow import keras
import horovod.tensorflow.keras as hvd
import tensorflow as tf


class Losses(keras.callbacks.Callback):
    """Losses of batches and epochs."""

    def __init__(self):
        super().__init__()
        self.batches, self.epochs = [], []

    def on_train_batch_end(self, batch, logs=None):
        self.batches.append(logs["loss"])

    def on_epoch_end(self, epoch, logs=None):
        self.epochs.append(logs["loss"])


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()), loss="mse")
told = Losses()
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
model.fit(
    x[shard],
    y[shard],
    batch_size=8 // hvd.size(),
    epochs=3,
    callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0), hvd.callbacks.MetricAverageCallback(), told],
    verbose=1 if hvd.rank() == 0 else 0,
)
if hvd.rank() == 0:
    plt.plot(told.batches)
if told.epochs[-1] > 0.5:
    model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD(0.1 * told.epochs[-1])), loss="mse")
    if 8 % hvd.size() != 0:
        raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
    shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
    callbacks_ = [
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
    ]
    model.fit(
        x[shard],
        y[shard],
        batch_size=8 // hvd.size(),
        epochs=5,
        callbacks=callbacks_,
        verbose=1 if hvd.rank() == 0 else 0,
    )
