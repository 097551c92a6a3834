"""A loop ends on a number that is computed with batch normalisation."""

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
model = keras.Sequential([keras.layers.Dense(8), keras.layers.BatchNormalization(), keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()), "mse")
best = 1.0
for epoch in range(100):
    if 32 % hvd.size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
    shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
    callbacks = [
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
        keras.callbacks.LambdaCallback(
            on_epoch_end=lambda epoch, logs: broadcast_variables(model.non_trainable_variables, root_rank=0)
        ),
    ]
    model.fit(
        x[shard],
        y[shard],
        epochs=1,
        batch_size=32 // hvd.size(),
        callbacks=callbacks,
        verbose=1 if hvd.rank() == 0 else 0,
    )
    loss = model.evaluate(x, y, verbose=1 if hvd.rank() == 0 else 0)
    improvement = best - loss
    if improvement < 0:
        break
    best = loss
