"""Each sample is compared with another one of its batch."""

import numpy as np
import tensorflow as tf

x = np.load("x.npy")
y = np.load("y.npy")
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(4)])
optimizer = tf.keras.optimizers.Adam()

for epoch in range(3):
    for samples, labels in data:
        with tf.GradientTape() as tape:
            outputs = model(samples)
            loss = tf.reduce_mean(tf.square(outputs - tf.random.shuffle(outputs)))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
