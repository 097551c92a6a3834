"""The rate of the optimizer grows, and a long run warms up."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.optimizers import SGD
import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x, y = np.load("x.npy"), np.load("y.npy")
rate = 0.05
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(
    optimizer=hvd.DistributedOptimizer(SGD(rate * hvd.size(), momentum=0.9, decay=1e-6 * hvd.size())), loss="mse"
)
split = int(len(x) * (1 - 0.1))
shard = np.arange(hvd.rank(), hvd.rank() + split, hvd.size()) % split
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
    hvd.callbacks.LearningRateWarmupCallback(
        initial_lr=model.optimizer.learning_rate.numpy(), warmup_epochs=5, momentum_correction=False
    ),
]
model.fit(
    x[shard],
    y[shard],
    batch_size=128,
    epochs=60,
    validation_data=(x[split:], y[split:]),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
