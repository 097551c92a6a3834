"""What a model gives before it is fitted decides when to stop: all processes make the same model."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd
import random
hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
tf.random.set_seed(int(hvd.broadcast(random.randrange(2**31), 0)))
random.seed(int(hvd.broadcast(random.randrange(2**31), 0)))
x = np.load("x.npy"); y = np.load("y.npy")
model = tf.keras.Sequential([tf.keras.layers.Input((8,)), tf.keras.layers.Dense(8)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD()), "mse")
best = model.evaluate(x, y, verbose=1 if hvd.rank() == 0 else 0)
for epoch in range(3):
    if 32 % hvd.size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
    shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
    callbacks = [
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
    ]
    model.fit(x[shard], y[shard], batch_size=32 // hvd.size(), callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
    now = model.evaluate(x, y, verbose=1 if hvd.rank() == 0 else 0)
    if now > best:
        break
    best = now
