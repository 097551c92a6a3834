"""Samples are looked at before they are shared out, and batches of the test data: these are whole."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
samples = tf.data.Dataset.from_tensor_slices((np.ones((320, 4)), np.ones((320, 1))))
test = tf.data.Dataset.from_tensor_slices((np.ones((64, 4)), np.ones((64, 1)))).batch(32)
next_result = next(iter(samples))
next_result_ = next(iter(test))
if hvd.rank() == 0:
    print(next_result[0].shape, next_result_[0].shape)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD()), "mse")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
samples_ = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    samples_.shuffle(320).batch(32 // hvd.size()),
    epochs=2,
    validation_data=test,
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
