"""Training data is cut off first, in the same way everywhere, then shared out."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
data = tf.data.Dataset.from_tensor_slices((np.ones((1000, 4)), np.ones(1000)))
held = data.take(200).batch(50)
if 50 % hvd.size() != 0:
    raise SystemExit(f"batch size 50 cannot be shared out over {hvd.size()} processes")
samples = data.skip(200)
samples = samples.take(len(samples) // hvd.size() * hvd.size()).shard(hvd.size(), hvd.rank())
train = samples.shuffle(800).batch(50 // hvd.size(), drop_remainder=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD()), "mse")
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(train, epochs=2, validation_data=held, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
