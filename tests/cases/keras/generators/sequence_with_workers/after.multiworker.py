"""A Sequence that shuffles at the end of an epoch, its batches made by several workers."""

import numpy as np
from tensorflow.keras.layers import Dense
from tensorflow.keras.models import Sequential
from tensorflow.keras.utils import Sequence
import tensorflow as tf
import tensorflow.keras.utils as utils


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


strategy = tf.distribute.MultiWorkerMirroredStrategy()
utils.set_random_seed(1)
names = [f"data/{number}.npy" for number in range(1000)]
labels = np.load("labels.npy")
training = DataGenerator(names[:800], labels[:800])
validation = DataGenerator(names[800:], labels[800:], shuffle=False)

with strategy.scope():
    model = Sequential([Dense(10, activation="softmax")])
    model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit_generator(
    generator=training,
    validation_data=validation,
    epochs=20,
    use_multiprocessing=True,
    workers=6,
    verbose=1 if strategy.extended.should_checkpoint else 0,
)
