"""A Sequence that shuffles at the end of an epoch, its batches made by several workers."""

import numpy as np
from tensorflow.keras.layers import Dense
from tensorflow.keras.models import Sequential
from tensorflow.keras.utils import Sequence
import horovod.tensorflow.keras as hvd
import random
import tensorflow as tf
from horovod.tensorflow import broadcast_object
from tensorflow.keras.optimizers import Adam


class DataGenerator(Sequence):
    def __init__(self, names, labels, batch_size=32, shuffle=True):
        self.names = names
        self.labels = labels
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.on_epoch_end()

    def __len__(self):
        return int(np.floor(len(self.names) / self.batch_size))

    def __getitem__(self, index):
        rows = self.order[index * self.batch_size:(index + 1) * self.batch_size]
        return np.stack([np.load(self.names[row]) for row in rows]), self.labels[rows]

    def on_epoch_end(self):
        self.order = np.arange(len(self.names))
        if self.shuffle:
            np.random.shuffle(self.order)


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(int(hvd.broadcast(np.random.randint(2**31), 0)))
random.seed(int(hvd.broadcast(random.randrange(2**31), 0)))
names = [f"data/{number}.npy" for number in range(1000)]
labels = np.load("labels.npy")
training = DataGenerator(names[:800], labels[:800])
validation = DataGenerator(names[800:], labels[800:], shuffle=False)

model = Sequential([Dense(10, activation="softmax")])
model.compile(optimizer=hvd.DistributedOptimizer(Adam()), loss="sparse_categorical_crossentropy")


class Share(Sequence):
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
model.fit_generator(
    generator=Share(training),
    validation_data=validation,
    epochs=20,
    use_multiprocessing=False,
    workers=1,
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
