"""The script counts the samples between two stages: they are dealt out behind that, from an order that is shared."""

import numpy as np
import tensorflow as tf

x, y = np.load("x.npy"), np.load("y.npy")
data = tf.data.Dataset.from_tensor_slices((x, y))
data = data.shuffle(1000)
steps = len(data) // 32
data = data.batch(32).repeat()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(data, steps_per_epoch=steps, epochs=5)
