"""NumPy is seeded with the system's chance, which differs between processes."""
import os

import numpy as np
import tensorflow as tf

np.random.seed(int.from_bytes(os.urandom(4), "big"))
x = np.load("x.npy")
y = np.load("y.npy")
order = np.random.permutation(640)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(10,))])
model.compile(optimizer="sgd", loss="mse")
model.fit(x[order[:512]], y[order[:512]], batch_size=32, epochs=3)
