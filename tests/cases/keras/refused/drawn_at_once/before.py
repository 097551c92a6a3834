"""Two generators draw from NumPy at once, each in a thread of its own; not where training ends with the pipeline."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

np.random.seed(3)


def batches(x, y, size):
    while True:
        order = np.random.permutation(len(x))
        for start in range(0, len(x), size):
            chosen = order[start : start + size]
            yield x[chosen], y[chosen]


x, y = np.load("x.npy"), np.load("y.npy")
train = batches(x[:192], y[:192], 32)
model = keras.Sequential([keras.layers.Dense(1, input_shape=(16,))])
model.compile("sgd", "mse")
model.fit(train, epochs=6, steps_per_epoch=6, validation_data=batches(x[192:], y[192:], 32), validation_steps=2)


def samples(x, y):
    for row in np.random.permutation(len(x)):
        yield x[row], y[row]


signature = (tf.TensorSpec((16,), tf.float32), tf.TensorSpec((), tf.float32))
data = tf.data.Dataset.from_generator(lambda: samples(x[:192], y[:192]), output_signature=signature)
held_out = tf.data.Dataset.from_generator(lambda: samples(x[192:], y[192:]), output_signature=signature).batch(32)
model.fit(data.repeat().batch(32), epochs=6, steps_per_epoch=6, validation_data=held_out)
model.fit(data.batch(32), epochs=6, validation_data=held_out)
