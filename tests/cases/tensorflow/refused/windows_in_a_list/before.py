"""Windows of a series, each of them one sample, are cut in a comprehension: their rows are steps of time."""

import numpy as np
import tensorflow as tf

series = np.sin(np.arange(2000) / 10).astype("float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(20)])
optimizer = tf.keras.optimizers.Adam(0.01)

for step in range(20):
    starts = np.random.choice(len(series) - 40, 8)
    past = np.array([series[i : i + 20] for i in starts])
    future = np.array([series[i + 20 : i + 40] for i in starts])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(past) - future))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
