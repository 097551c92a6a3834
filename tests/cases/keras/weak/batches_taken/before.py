"""A number of batches is taken."""

import numpy as np
import tensorflow as tf

x, y = np.load("x.npy"), np.load("y.npy")
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(64).take(100)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(data, epochs=30)
