"""Samples made by a function of the script, in an order that it draws."""

import random

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
files = [f"data/{number}.npy" for number in range(1000)]


def samples():
    random.shuffle(files)
    for file in files:
        sample = np.load(file)
        yield sample[:-1], sample[-1]


data = tf.data.Dataset.from_generator(samples, output_types=(tf.float32, tf.float32), output_shapes=((4,), ()))
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
model.fit(data.batch(32).prefetch(1), epochs=10, verbose=1 if strategy.extended.should_checkpoint else 0)
