"""Whole batches: of a generator, of a Sequence, of images that flow."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.preprocessing.image import ImageDataGenerator
import horovod.tensorflow.keras as hvd
import itertools
import random
import tensorflow as tf
from horovod.tensorflow import broadcast_object


def batches(x, y):
    while True:
        for start in range(0, len(x), 32):
            yield x[start:start + 32], y[start:start + 32]


class Batches(keras.utils.Sequence):
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x) // 32

    def __getitem__(self, index):
        rows = slice(index * 32, (index + 1) * 32)
        return self.x[rows], self.y[rows]


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(int(hvd.broadcast(np.random.randint(2**31), 0)))
random.seed(int(hvd.broadcast(random.randrange(2**31), 0)))
x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD(0.01 * hvd.size())), "mse")
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
    hvd.callbacks.LearningRateWarmupCallback(
        initial_lr=model.optimizer.learning_rate.numpy(), warmup_epochs=2, momentum_correction=False
    ),
]
model.fit(
    itertools.islice(batches(x, y), hvd.rank(), None, hvd.size()),
    steps_per_epoch=(len(x) // 32) // hvd.size(),
    epochs=20,
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
np.random.set_state(broadcast_object(np.random.get_state()))


class Share(keras.utils.Sequence):
    def __init__(self, batches):
        self.batches = batches

    def __len__(self):
        return len(self.batches) // hvd.size()

    def __getitem__(self, index):
        return self.batches[index * hvd.size() + hvd.rank()]

    def on_epoch_end(self):
        self.batches.on_epoch_end()


callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(Share(Batches(x, y)), epochs=20, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    ImageDataGenerator(zoom_range=0.1).flow(x[shard], y[shard], batch_size=32),
    steps_per_epoch=(len(x) // 32) // hvd.size(),
    epochs=20,
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    ImageDataGenerator().flow_from_directory("images", batch_size=32, seed=hvd.rank()),
    epochs=20,
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
    steps_per_epoch=-(-len(ImageDataGenerator().flow_from_directory("images", batch_size=32)) // hvd.size()),
)
