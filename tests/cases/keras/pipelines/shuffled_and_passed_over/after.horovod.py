"""A loop passes over the shuffled samples before they are trained on: all of them, in the order of all processes."""

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
np.random.seed(int(hvd.broadcast(np.random.randint(2**31), 0)))
tf.random.set_seed(int(hvd.broadcast(random.randrange(2**31), 0)))
x, y = np.load("x.npy"), np.load("y.npy")
data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000)
total = 0.0
for _, target in data:
    total += float(target)
if hvd.rank() == 0:
    print(total)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.Adam()), "mse")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
samples = data.concatenate(data.take(-len(data) % hvd.size())).shard(hvd.size(), hvd.rank())
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(samples.batch(32 // hvd.size()), epochs=5, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
