"""A constraint that draws random numbers for the weights of each process."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


class Jitter(keras.constraints.Constraint):
    def __call__(self, w):
        return w + 0.01 * tf.random.normal(tf.shape(w))


x, y = np.zeros((64, 8)), np.zeros((64, 1))
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)
model = keras.Sequential([keras.layers.Dense(1, kernel_constraint=Jitter())])
optimizer = keras.optimizers.SGD(0.1)
for features, targets in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((targets - model(features, training=True)) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
