"""A try that says where the script runs stands in front of all imports: what the start needs is imported before it."""

try:
    import google.colab

    print("in the cloud")
except ImportError:
    print("at home")

import numpy as np
import tensorflow as tf

x, y = np.random.rand(64, 4), np.random.rand(64)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, batch_size=16, epochs=2)
