"""A generator with the seed of a flag that has a number as its default."""
from absl import flags

import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
flags.DEFINE_integer("seed", 1, "For the order of the data.")
FLAGS = flags.FLAGS
x = np.load("x.npy")
y = np.load("y.npy")
order = np.random.RandomState(FLAGS.seed).permutation(640)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(10,))])
model.compile(optimizer=hvd.DistributedOptimizer(tf.keras.optimizers.SGD()), loss="mse")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
inputs = x[order[:512]]
shard = np.arange(hvd.rank(), hvd.rank() + len(inputs), hvd.size()) % len(inputs)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    inputs[shard],
    y[order[:512]][shard],
    batch_size=32 // hvd.size(),
    epochs=3,
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
