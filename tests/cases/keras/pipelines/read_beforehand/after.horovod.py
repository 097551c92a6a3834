"""Data that a loop runs over before training is shared out behind it."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
data = tf.data.Dataset.from_tensor_slices((np.ones((600, 4)), np.ones(600)))
data = data.map(lambda x, y: (x * 2, y))
total = 0
for x, y in data:
    total += float(y)
if hvd.rank() == 0:
    print(total)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD()), "mse")
if 60 % hvd.size() != 0:
    raise SystemExit(f"batch size 60 cannot be shared out over {hvd.size()} processes")
samples = data.concatenate(data.take(-len(data) % hvd.size())).shard(hvd.size(), hvd.rank())
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    samples.shuffle(100).batch(60 // hvd.size()), epochs=2, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0
)
