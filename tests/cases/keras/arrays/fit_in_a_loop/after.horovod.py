"""A model fitted in a loop, one epoch at a time, with samples shown on the way."""

import numpy as np
from tensorflow import keras
import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x = np.random.default_rng(0).normal(size=(640, 5))
y = x.sum(1)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(loss="mse", optimizer=hvd.DistributedOptimizer(keras.optimizers.SGD()))
for iteration in range(1, 20):
    if hvd.rank() == 0:
        print("Iteration", iteration)
    if 64 % hvd.size() != 0:
        raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
    shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
    callbacks = [
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
    ]
    model.fit(
        x[shard],
        y[shard],
        batch_size=64 // hvd.size(),
        epochs=1,
        callbacks=callbacks,
        verbose=1 if hvd.rank() == 0 else 0,
    )
    predict_result = model.predict(x[:1], verbose=0)
    if hvd.rank() == 0:
        print("guess", predict_result[0, 0], "truth", y[0])
