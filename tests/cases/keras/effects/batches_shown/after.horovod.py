"""Batches that are looked at are drawn by all processes, so that the next ones are the same everywhere."""

import matplotlib.pyplot as plt
import numpy as np
from tensorflow import keras
from tensorflow.keras.preprocessing.image import ImageDataGenerator
import horovod.tensorflow.keras as hvd
import random
import tensorflow as tf
from horovod.tensorflow import broadcast_object


class Drawn(keras.utils.Sequence):
    """Batches of rows that are drawn."""

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x) // 8

    def __getitem__(self, index):
        rows = np.random.choice(len(self.x), 8)
        return self.x[rows], self.y[rows]


class Settings:
    """Numbers under names."""

    def __init__(self):
        self.numbers = {"filters": 4}

    def __getitem__(self, name):
        return self.numbers[name]


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
random.seed(int(hvd.broadcast(random.randrange(2**31), 0)))
np.random.seed(0)
settings = Settings()
if hvd.rank() == 0:
    print(settings["filters"])
x, y = np.load("x.npy"), np.load("y.npy")
drawn = Drawn(x, y)
result = drawn[0]
if hvd.rank() == 0:
    print(result[0].shape)
images = ImageDataGenerator(rotation_range=9).flow(x, batch_size=8, seed=1)
masks = ImageDataGenerator(rotation_range=9).flow(y, batch_size=8, seed=1)
next_result = images.next()
if hvd.rank() == 0:
    plt.imshow(next_result[0])
result = masks[0]
if hvd.rank() == 0:
    plt.imshow(result[0])
pairs = zip(images, masks)
result = [image.shape for image, _ in zip(images, range(2))]
list_result = list(zip(masks, range(2)))
if hvd.rank() == 0:
    print(result, len(list_result))

model = keras.Sequential([keras.layers.Conv2D(settings["filters"], 3, padding="same"), keras.layers.Conv2D(1, 1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), loss="mse")

def share_batches(batches):
    for batch in batches:
        rows = len(tf.nest.flatten(batch)[-1])
        mine = np.arange(hvd.rank(), hvd.rank() + rows, hvd.size()) % rows
        yield tf.nest.map_structure(lambda part: np.asarray(part)[mine], batch)

callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(share_batches(pairs), steps_per_epoch=4, epochs=2, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
np.random.set_state(broadcast_object(np.random.get_state()))


class Share(keras.utils.Sequence):
    def __init__(self, batches):
        self.batches = batches

    def __len__(self):
        return len(self.batches)

    def __getitem__(self, index):
        batch = self.batches[index]
        rows = len(tf.nest.flatten(batch)[-1])
        mine = np.arange(hvd.rank(), hvd.rank() + rows, hvd.size()) % rows
        return tf.nest.map_structure(lambda part: np.asarray(part)[mine], batch)

    def on_epoch_end(self):
        np.random.set_state(broadcast_object(np.random.get_state()))
        self.batches.on_epoch_end()


callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(Share(drawn), epochs=2, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
