"""A part of the arrays is set aside by the generator, which takes it from their beginning."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.preprocessing.image import ImageDataGenerator
import horovod.tensorflow.keras as hvd
import random
import tensorflow as tf
from horovod.tensorflow import broadcast_object

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(int(hvd.broadcast(np.random.randint(2**31), 0)))
random.seed(int(hvd.broadcast(random.randrange(2**31), 0)))
x, y = np.load("x.npy"), np.load("y.npy")
images = ImageDataGenerator(rotation_range=10, validation_split=0.2)
train = images.flow(x, y, batch_size=32, subset="training")
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), "mse")


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
model.fit(
    Share(train),
    epochs=5,
    validation_data=images.flow(x, y, batch_size=32, subset="validation"),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
