"""A layer of Keras takes the average of a batch from each sample."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

inputs = keras.Input((8,))
features = keras.layers.Dense(4)(inputs)
centred = keras.layers.Subtract()([features, tf.reduce_mean(features, axis=0, keepdims=True)])
model = keras.Model(inputs, keras.layers.Dense(1)(centred))
model.compile("adam", loss="mse")
model.fit(np.zeros((64, 8)), np.zeros((64, 1)), batch_size=16)
