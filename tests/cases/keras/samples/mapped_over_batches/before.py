"""A function mapped over batches takes their mean from each sample."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


def centred(x, y):
    return x - tf.reduce_mean(x, axis=0), y


data = tf.data.Dataset.from_tensor_slices((np.ones((320, 4)), np.ones((320, 1))))
data = data.shuffle(320).batch(32).map(centred)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(data, epochs=2)
