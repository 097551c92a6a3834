"""Batches of the training data are looked at: of a part of it, but with the rows of the script's, which it counts on."""

import numpy as np
import tensorflow as tf

batch_size = 32
data = tf.data.Dataset.from_tensor_slices((np.ones((320, 4)), np.ones((320, 1)))).shuffle(320).batch(batch_size)
for x, y in data.take(1):
    print(x.shape, y.shape)
x, y = next(iter(data))
for i in range(20):
    print(x[i].numpy(), y[i].numpy())
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(data, epochs=2)
