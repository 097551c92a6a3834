"""A layer of a model works along the first axis, that of the samples."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

data = tf.data.Dataset.from_tensor_slices((np.zeros((64, 4)), np.zeros((64, 1)))).batch(16)
model = keras.Sequential([keras.layers.Dense(4), keras.layers.LayerNormalization(axis=[0, 1]), keras.layers.Dense(1)])
optimizer = keras.optimizers.SGD(0.1)

for epoch in range(2):
    for features, targets in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(features) - targets))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
