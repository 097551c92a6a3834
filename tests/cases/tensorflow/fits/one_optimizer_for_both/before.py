"""One optimizer for fit and for a loop: wrapped once, and its apply_gradients averages nothing more."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
x = np.random.rand(256, 4).astype("float32")
y = x.sum(axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
optimizer = tf.keras.optimizers.Adam(0.01)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
model.compile(optimizer=optimizer, loss="mse")
model.fit(data, epochs=2, verbose=0)
for epoch in range(2):
    for features, targets in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(features, training=True) - targets))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
print("weights", [f"{w:.5f}" for w in model.get_weights()[0].ravel()])
