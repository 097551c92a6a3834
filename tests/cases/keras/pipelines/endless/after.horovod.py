"""Data repeated without end: each process goes round its own part, with as many steps as before."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
files = tf.data.TFRecordDataset(["a.tfrecord", "b.tfrecord"])
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
data = files.shard(hvd.size(), hvd.rank()).map(lambda record: tf.io.parse_tensor(record, tf.float32)).shuffle(100).repeat().batch(
    32 // hvd.size()
)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD()), "mse")
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(data, epochs=2, steps_per_epoch=100, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
