"""One optimizer is compiled in, and minimizes in a loop: it would average what is averaged already."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(256, 4).astype("float32")
y = x.sum(axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
optimizer = tf.keras.optimizers.Adam(0.01)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
model.compile(optimizer=optimizer, loss="mse")
model.fit(x, y, verbose=0)
with tf.GradientTape() as tape:
    error = tf.reduce_mean(tf.square(model(x[:8]) - y[:8]))
print(tape.gradient(error, model.trainable_variables))
for features, targets in data:
    optimizer.minimize(lambda: tf.reduce_mean(tf.square(model(features) - targets)), model.trainable_variables)
