"""An order that all processes share is drawn in the call of fit, behind the place where noise would get its seed."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

tf.random.set_seed(0)
x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(8), keras.layers.Dropout(0.5), keras.layers.Dense(1)])
model.compile("sgd", "mse")
good = tf.data.Dataset.from_tensor_slices((x, y)).filter(lambda inputs, target: target > 0)
model.fit(good.shuffle(100).batch(32), epochs=10)
