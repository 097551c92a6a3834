"""Samples are looked at before they are shared out, and batches of the test data: these are whole."""

import numpy as np
import tensorflow as tf

samples = tf.data.Dataset.from_tensor_slices((np.ones((320, 4)), np.ones((320, 1))))
test = tf.data.Dataset.from_tensor_slices((np.ones((64, 4)), np.ones((64, 1)))).batch(32)
print(next(iter(samples))[0].shape, next(iter(test))[0].shape)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(samples.shuffle(320).batch(32), epochs=2, validation_data=test)
