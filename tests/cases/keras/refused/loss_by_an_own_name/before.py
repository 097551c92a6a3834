"""A loss that is given by the name under which Keras was told of it."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

x, y = np.zeros((64, 8)), np.zeros((64, 1))


def rooted(y_true, y_pred):
    return tf.sqrt(tf.reduce_mean(tf.square(y_true - y_pred)))


keras.utils.get_custom_objects()["rooted"] = rooted
model = keras.Sequential([keras.layers.Dense(1, input_shape=(8,))])
model.compile("adam", loss="rooted")
model.fit(x, y, batch_size=16)
