"""A loop passes over the shuffled samples before they are trained on: all of them, in the order of all processes."""

import numpy as np
import tensorflow as tf

x, y = np.load("x.npy"), np.load("y.npy")
data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000)
total = 0.0
for _, target in data:
    total += float(target)
print(total)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(data.batch(32), epochs=5)
