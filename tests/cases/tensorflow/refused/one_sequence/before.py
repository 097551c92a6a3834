"""Each step trains on one sequence that is cut out of a long one: its rows are no samples."""

import numpy as np
import tensorflow as tf

series = np.sin(np.arange(1000, dtype="float32"))[:, None]
model = tf.keras.Sequential([tf.keras.layers.LSTM(8, return_sequences=True, input_shape=(None, 1)), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
mse = tf.keras.losses.MeanSquaredError()
for step in range(100):
    start = np.random.randint(0, 900)
    inputs, targets = series[start : start + 50], series[start + 1 : start + 51]
    with tf.GradientTape() as tape:
        loss = mse(targets[None], model(inputs[None]))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
