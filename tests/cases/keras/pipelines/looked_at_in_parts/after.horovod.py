"""Batches that are looked at stay parts where nobody knows the batch size, or the iterator goes on."""

import argparse

import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=32)
args = parser.parse_args()
if args.batch_size % hvd.size() != 0:
    raise SystemExit(f"batch size {args.batch_size} cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices((np.ones((320, 4)), np.ones((320, 1))))
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
data = samples.shuffle(320).batch(args.batch_size // hvd.size())
for x, y in data.take(1):
    if hvd.rank() == 0:
        print(x.shape, y.shape)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices((np.ones((320, 4)), np.ones((320, 1))))
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
other = samples.batch(32 // hvd.size())
batches = iter(other)
next_result = next(batches)
next_result_ = next(batches)
if hvd.rank() == 0:
    print(next_result[0].shape, next_result_[0].shape)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD()), "mse")
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(data, epochs=2, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(other, epochs=2, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
