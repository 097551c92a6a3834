"""Each layer is put on another GPU, of which a process has one."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

gpus = tf.config.list_logical_devices("GPU")
x, y = np.load("x.npy"), np.load("y.npy")
with tf.device(gpus[0].name):
    inputs = keras.Input((4,))
    hidden = keras.layers.Dense(8, activation="relu")(inputs)
with tf.device(gpus[1].name):
    outputs = keras.layers.Dense(1)(hidden)
model = keras.Model(inputs, outputs)
model.compile("adam", loss="mse")
model.fit(x, y, batch_size=8)
