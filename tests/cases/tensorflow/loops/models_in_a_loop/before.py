"""A model for each fold, made in the loop."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
inputs = tf.keras.Input((6,))
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs))
opt = tf.keras.optimizers.SGD(0.1)
mse = tf.keras.losses.MeanSquaredError()

for fold in range(2):
    m = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)])
    o = tf.keras.optimizers.Adam(0.01)
    for e in range(2):
        for a, b in ds:
            with tf.GradientTape() as t:
                l = mse(b, m(a))
            g = t.gradient(l, m.trainable_variables)
            o.apply_gradients(zip(g, m.trainable_variables))
    print(fold, sum(float(tf.reduce_sum(w)) for w in m.weights))
