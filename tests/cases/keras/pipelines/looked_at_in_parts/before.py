"""Batches that are looked at stay parts where nobody knows the batch size, or the iterator goes on."""

import argparse

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=32)
args = parser.parse_args()
data = tf.data.Dataset.from_tensor_slices((np.ones((320, 4)), np.ones((320, 1)))).shuffle(320).batch(args.batch_size)
for x, y in data.take(1):
    print(x.shape, y.shape)
other = tf.data.Dataset.from_tensor_slices((np.ones((320, 4)), np.ones((320, 1)))).batch(32)
batches = iter(other)
print(next(batches)[0].shape, next(batches)[0].shape)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(data, epochs=2)
model.fit(other, epochs=2)
