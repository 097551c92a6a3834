"""An optimizer by its name, callbacks in a list, a number of epochs that is not known before the run."""

import argparse

from tensorflow import keras
import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=20)
args = parser.parse_args()
if hvd.rank() == 0:
    keras.datasets.mnist.load_data()
hvd.allreduce(0.0)
(x, y), _ = keras.datasets.mnist.load_data()
callbacks = [
    keras.callbacks.ReduceLROnPlateau(monitor="loss"),
    *([keras.callbacks.CSVLogger("log.csv")] if hvd.rank() == 0 else []),
]
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(10, activation="softmax")])
model.compile(
    optimizer=hvd.DistributedOptimizer(keras.optimizers.Adam(0.001 * hvd.size())),
    loss="sparse_categorical_crossentropy",
)
shard = np.arange(hvd.rank(), hvd.rank() + len(y), hvd.size()) % len(y)
model.fit(
    (x / 255)[shard],
    y[shard],
    epochs=args.epochs,
    callbacks=[
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
        *(
            [hvd.callbacks.LearningRateWarmupCallback(initial_lr=model.optimizer.learning_rate.numpy(), warmup_epochs=min(5, args.epochs // 10), momentum_correction=False)] if args.epochs >= 10 else []
        ),
        *callbacks,
    ],
    verbose=1 if hvd.rank() == 0 else 0,
)
