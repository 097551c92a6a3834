"""Targets and predictions have as many dimensions where they meet; a loss object sees to that by itself."""

import tensorflow as tf
from sklearn.datasets import load_diabetes

x, y = load_diabetes(return_X_y=True)
x, y = x.astype("float32"), (y / 100).astype("float32")
dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(500, seed=1).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)
mean_squared_error = tf.keras.losses.MeanSquaredError()

for epoch in range(3):
    for inputs, targets in dataset:
        with tf.GradientTape() as tape:
            predictions = model(inputs, training=True)
            loss = tf.reduce_mean(tf.abs(targets - predictions[:, 0]) * tf.where(targets > 1.5, 3.0, 1.0))
            loss += tf.reduce_mean(tf.square(targets[:, None] - predictions))
            loss += mean_squared_error(targets, predictions)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
