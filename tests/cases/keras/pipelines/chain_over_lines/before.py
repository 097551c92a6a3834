"""A chain over several lines, in parentheses of its own, is shared out in its middle."""

import numpy as np
import tensorflow as tf

x, y = np.load("x.npy"), np.load("y.npy")
data = tf.data.Dataset.from_tensor_slices((x, y))
train = (
    data
    # a part of it is enough
    .take(500)
    .cache()
    .shuffle(500)
    .batch(32)
)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(train, validation_data=data.skip(500).batch(32), epochs=5)
