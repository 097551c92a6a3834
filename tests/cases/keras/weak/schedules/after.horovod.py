"""Schedules in steps: N times the rates, over 1/N of the steps."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.optimizers.schedules import ExponentialDecay, PiecewiseConstantDecay, PolynomialDecay
import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x, y = np.load("x.npy"), np.load("y.npy")
for schedule in (1, 2, 3):
    if schedule == 1:
        rate = ExponentialDecay(0.1 * hvd.size(), decay_steps=1000 // hvd.size(), decay_rate=0.96)
    elif schedule == 2:
        rate = PiecewiseConstantDecay(
            [boundary // hvd.size() for boundary in [1000, 2000]], [value * hvd.size() for value in [0.1, 0.01, 0.001]]
        )
    else:
        rate = PolynomialDecay(
            initial_learning_rate=0.1 * hvd.size(),
            decay_steps=(5 * 1000) // hvd.size(),
            end_learning_rate=0.0001 * hvd.size(),
        )
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile(optimizer=hvd.DistributedOptimizer(keras.optimizers.SGD(learning_rate=rate)), loss="mse")
    shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
    callbacks = [
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
    ]
    model.fit(x[shard], y[shard], epochs=20, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
