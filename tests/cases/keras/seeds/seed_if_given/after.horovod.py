"""A seed that is set if one was given: without one, the order of the data has to be rank 0's."""
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
np.random.seed(int(hvd.broadcast(np.random.randint(2**31), 0)))
parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int)
args = parser.parse_args()
if args.seed is not None:
    np.random.seed(args.seed)
    tf.random.set_seed(args.seed)
order = np.random.permutation(640)
x = np.load("x.npy")[order]
y = np.load("y.npy")[order]
model = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(10,)), tf.keras.layers.Dropout(0.1), tf.keras.layers.Dense(1)])
model.compile(optimizer=hvd.DistributedOptimizer(tf.keras.optimizers.SGD()), loss="mse")
if hvd.rank() > 0:
    tf.random.set_seed(hvd.rank())
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
inputs = x[:512]
shard = np.arange(hvd.rank(), hvd.rank() + len(inputs), hvd.size()) % len(inputs)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    inputs[shard],
    y[:512][shard],
    batch_size=32 // hvd.size(),
    epochs=3,
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
