"""Samples of unknown number, batched and then repeated: the last batch of each round is smaller, and shared out too."""

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
random.seed(int(hvd.broadcast(random.randrange(2**31), 0)))
x, y = np.load("x.npy"), np.load("y.npy")
data = tf.data.Dataset.from_generator(
    lambda: zip(x, y), output_signature=(tf.TensorSpec((4,), tf.float32), tf.TensorSpec((), tf.float32))
)
data = data.batch(32).repeat()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD()), "mse")

def share(*batch):
    rows = tf.shape(tf.nest.flatten(batch)[-1])[0]
    mine = tf.range(hvd.rank(), hvd.rank() + rows, hvd.size()) % rows
    return tf.nest.map_structure(lambda part: tf.gather(part, mine), batch)

callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    data.map(share),
    epochs=2,
    steps_per_epoch=-(-len(x) // 32),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
