"""The average of a batch is taken from each sample, between the layers of a model of functions."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

x = np.random.default_rng(0).normal(size=(256, 6)).astype("float32")
y = x[:, :1]
inputs = keras.Input((6,))
h = keras.layers.Dense(8)(inputs)
h = h - tf.reduce_mean(h, axis=0)
model = keras.Model(inputs, keras.layers.Dense(1)(h))
optimizer = keras.optimizers.SGD(0.1)
loss_fn = keras.losses.MeanSquaredError()

for xb, yb in tf.data.Dataset.from_tensor_slices((x, y)).batch(32):
    with tf.GradientTape() as tape:
        loss = loss_fn(yb, model(xb, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
