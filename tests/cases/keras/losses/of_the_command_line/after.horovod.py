"""What the command line gives as a loss is the name of one of Keras' own."""

import argparse

import numpy as np
from tensorflow import keras
import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
parser = argparse.ArgumentParser()
parser.add_argument("--loss", default="mse")
args = parser.parse_args()

model = keras.Sequential([keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()), loss=args.loss)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
inputs = np.ones((320, 4))
shard = np.arange(hvd.rank(), hvd.rank() + len(inputs), hvd.size()) % len(inputs)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    inputs[shard],
    np.ones((320, 1))[shard],
    batch_size=32 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
