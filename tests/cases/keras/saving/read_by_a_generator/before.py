"""Data is read, and listed, by what makes samples in a thread of its own: no barrier may stand there."""

import pathlib

import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer=tf.keras.optimizers.Adam(), loss="mse")
model.save_weights("first.h5")


class Frames:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def paths(self):
        names = sorted(self.folder.glob("*.npy"))
        return names

    def __call__(self):
        for path in self.paths():
            frames = np.load(path)
            yield frames, 1.0


def labels():
    values = np.load("labels.npy")
    yield from values


frames = Frames("frames")
first = next(frames())
count = len(list(labels()))
types = (tf.float32, tf.float32)
data = tf.data.Dataset.from_generator(frames, output_types=types, output_shapes=((4,), ())).batch(32)
model.fit(data, epochs=2)
