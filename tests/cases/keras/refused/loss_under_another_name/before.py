"""The root of an average, with operations under names of the script's own."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow import reduce_mean as average

root = tf.sqrt


def rooted(y_true, y_pred):
    return root(average(tf.square(y_true - y_pred)))


model = keras.Sequential([keras.layers.Dense(1, input_shape=(8,))])
model.compile("adam", loss=rooted)
model.fit(np.zeros((64, 8)), np.zeros((64, 1)), batch_size=16)
