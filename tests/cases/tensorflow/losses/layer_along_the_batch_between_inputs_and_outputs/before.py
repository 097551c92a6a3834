"""A layer along the samples in a model that is made of its inputs and outputs."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

x, y = np.zeros((64, 8)), np.zeros((64, 1))
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)
inputs = keras.Input((8,))
hidden = keras.layers.LayerNormalization(axis=0)(keras.layers.Dense(4)(inputs))
model = keras.Model(inputs, keras.layers.Dense(1)(hidden))
optimizer = keras.optimizers.SGD(0.1)
for features, targets in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((targets - model(features, training=True)) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
