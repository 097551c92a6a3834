"""The function that is mapped over the samples stands in another module."""

import numpy as np
import tensorflow as tf

import pictures

tf.random.set_seed(1)
x = np.load("x.npy").astype("float32")
data = tf.data.Dataset.from_tensor_slices((x, x.sum(1, keepdims=True))).map(pictures.changed).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
optimizer = tf.keras.optimizers.SGD(0.1)
for epoch in range(3):
    for inputs, targets in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(inputs, training=True) - targets))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
