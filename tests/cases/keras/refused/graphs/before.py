"""Without eager execution a barrier is an operation that nobody runs."""

import numpy as np
import tensorflow as tf

tf.compat.v1.disable_eager_execution()
x, y = np.load("x.npy"), np.load("y.npy")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, epochs=5)
model.save_weights("last.h5")
model.load_weights("last.h5")
