"""A pipeline runs a function that draws from NumPy, ahead of what is trained on; what is drawn behind it is for all."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

np.random.seed(3)


def turned(picture):
    return np.rot90(picture, np.random.randint(4)).copy()


x, y = np.load("x.npy"), np.load("y.npy")
for fold in range(3):
    order = np.random.permutation(len(x))
    data = tf.data.Dataset.from_tensor_slices((x[order[100:]], y[order[100:]]))
    data = data.map(lambda picture, label: (tf.numpy_function(turned, [picture], tf.float32), label))
    model = keras.Sequential([keras.layers.Reshape((192,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(data.repeat().batch(32), epochs=2, steps_per_epoch=6)
    print(model.evaluate(x[order[:100]], y[order[:100]], verbose=0))
