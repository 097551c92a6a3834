"""A step that is made once, outside of all loops, beside a fit."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(256, 4).astype("float32")
y = x.sum(axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.square(model(x[:32]) - y[:32]))
gradients = tape.gradient(loss, model.trainable_variables)
print(gradients)
optimizer = tf.keras.optimizers.SGD(0.05)
optimizer.apply_gradients(zip(gradients, model.trainable_variables))
model.compile(tf.keras.optimizers.SGD(0.05), "mse")
model.fit(x, y, batch_size=64, epochs=2)
