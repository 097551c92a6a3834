"""Clipped gradients in a step that stands in the loop; a single gradient that is applied at once."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
train = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(6,))])
weight = tf.Variable(tf.ones([6, 1]))
optimizer = tf.keras.optimizers.Adam(0.05)
other = tf.keras.optimizers.SGD(0.02)

for a, b in train:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(a) - b))
    grads = tape.gradient(loss, model.trainable_variables)
    grads, _ = tf.clip_by_global_norm(grads, 0.5)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    with tf.GradientTape() as tape:
        linear = tf.reduce_sum(tf.square(a @ weight - b)) / 32
    other.apply_gradients([(tape.gradient(linear, weight), weight)])
print(f"{float(loss):.4f} {float(linear):.4f}")
