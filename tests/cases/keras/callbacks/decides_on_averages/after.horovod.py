"""A loop ends on a metric of fit, which is averaged; what is computed with batch normalisation is only kept."""

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
    split = int(len(x) * (1 - 0.5))
    shard = np.arange(hvd.rank(), hvd.rank() + split, hvd.size()) % split
    callbacks = [
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
        keras.callbacks.LambdaCallback(
            on_test_begin=lambda logs: broadcast_variables(model.non_trainable_variables, root_rank=0),
            on_epoch_end=lambda epoch,
            logs: broadcast_variables(model.non_trainable_variables, root_rank=0),
        ),
    ]
    history = model.fit(
        x[shard],
        y[shard],
        epochs=1,
        validation_data=(x[split:], y[split:]),
        batch_size=32 // hvd.size(),
        callbacks=callbacks,
        verbose=1 if hvd.rank() == 0 else 0,
    )
    loss = history.history["val_loss"][0]
    score = model.evaluate(x, y, verbose=1 if hvd.rank() == 0 else 0)
    if score < 0.1:
        if hvd.rank() == 0:
            print("good", score)
    if loss > best:
        break
    best = loss
