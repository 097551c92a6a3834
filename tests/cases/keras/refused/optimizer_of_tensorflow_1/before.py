"""Keras takes an optimizer of TensorFlow 1, which Horovod's optimizer for Keras cannot be made of."""

import numpy as np
import tensorflow as tf

x, y = np.load("x.npy"), np.load("y.npy")
optimizer = tf.compat.v1.train.AdamOptimizer(0.01)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
model.compile(optimizer=optimizer, loss="mse")
model.fit(x, y, epochs=2)
