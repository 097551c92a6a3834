"""Noise that is added to gradients, in a list, and applied: the weights of the processes would drift apart."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

x, y = np.zeros((64, 8)), np.zeros((64, 1))
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)
model = keras.Sequential([keras.layers.Dense(1)])
model.build((None, 8))
optimizer = keras.optimizers.SGD(0.1)
for features, targets in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((targets - model(features, training=True)) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    noisy = [g + 0.1 * tf.random.normal(g.shape) for g in gradients]
    optimizer.apply_gradients(zip(noisy, model.trainable_variables))
