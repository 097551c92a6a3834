"""Windows of a series, each of them one sample, are cut by a function, which gives whole batches."""

import numpy as np
import tensorflow as tf

series = np.sin(np.arange(2000) / 10).astype("float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(20)])
optimizer = tf.keras.optimizers.Adam(0.01)


def windows(series, length, count):
    starts = np.random.choice(len(series) - 2 * length, count)
    inputs = [series[i : i + length] for i in starts]
    targets = [series[i + length : i + 2 * length] for i in starts]
    return np.array(inputs), np.array(targets)


for step in range(20):
    past, future = windows(series, 20, 8)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(past) - future))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
