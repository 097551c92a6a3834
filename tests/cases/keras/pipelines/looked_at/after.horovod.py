"""Batches of the training data are looked at: of a part of it, but with the rows of the script's, which it counts on."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
batch_size = 32
if batch_size % hvd.size() != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices((np.ones((320, 4)), np.ones((320, 1))))
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
data = samples.shuffle(320).batch(batch_size // hvd.size())
for x, y in data.unbatch().batch(batch_size).take(1):
    if hvd.rank() == 0:
        print(x.shape, y.shape)
x, y = next(iter(data.unbatch().batch(batch_size)))
for i in range(20):
    if hvd.rank() == 0:
        print(x[i].numpy(), y[i].numpy())
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD()), "mse")
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(data, epochs=2, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
