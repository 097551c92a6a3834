"""A pipeline under one name that is batched twice: it is shared out once."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(256, 4).astype("float32")
y = x.sum(axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((x, y))
data = data.shuffle(256, seed=1)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
model.compile(tf.keras.optimizers.SGD(0.05), "mse")
model.fit(data.batch(32), epochs=2)
model.fit(data.batch(64), epochs=2)
