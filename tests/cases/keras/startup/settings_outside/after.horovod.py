"""Settings outside the guard need no engine: it starts under the guard, where processes that are spawned do not come."""

import sys
import warnings

import numpy as np
from tensorflow import keras
import horovod.tensorflow.keras as hvd
import tensorflow as tf

warnings.filterwarnings("ignore")
sys.setrecursionlimit(3000)
RATE = float("0.1")


def main():
    x, y = np.load("x.npy"), np.load("y.npy")
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD(RATE)), loss="mse")
    if 10 % hvd.size() != 0:
        raise SystemExit(f"batch size 10 cannot be shared out over {hvd.size()} processes")
    shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
    callbacks = [
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
    ]
    model.fit(x[shard], y[shard], batch_size=10 // hvd.size(), callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)


if __name__ == "__main__":
    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)
    if gpus:
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    main()
