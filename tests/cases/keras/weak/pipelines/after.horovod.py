"""Pipelines keep their batches: one is counted, one is endless; a model that is trained twice warms up once."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x, y = np.load("x.npy"), np.load("y.npy")
data = tf.data.Dataset.from_tensor_slices((x, y))
samples = data.concatenate(data.take(-len(data) % hvd.size())).shard(hvd.size(), hvd.rank())
counted = samples.shuffle(1000).batch(64)
endless = data.shard(hvd.size(), hvd.rank()).shuffle(1000).repeat().batch(64).prefetch(1)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.Adam(learning_rate=0.001 * hvd.size())), "mse")
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
    hvd.callbacks.LearningRateWarmupCallback(
        initial_lr=model.optimizer.learning_rate.numpy(), warmup_epochs=3, momentum_correction=False
    ),
]
model.fit(counted, epochs=30, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    endless,
    epochs=30,
    steps_per_epoch=(len(x) // 64) // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
