"""Noise of as many rows as the batch has, in shapes that are lists."""

import numpy as np
import tensorflow as tf

x = np.load("x.npy").astype("float32")
data = tf.data.Dataset.from_tensor_slices(x).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(6,))])
optimizer = tf.keras.optimizers.SGD(0.1)
for epoch in range(2):
    for batch in data:
        noise = tf.random.normal([tf.shape(batch)[0], 2])
        shift = tf.random.uniform(shape=[batch.shape[0], 1])
        with tf.GradientTape() as tape:
            made = model(tf.concat([batch + shift, noise], axis=1))
            loss = tf.reduce_mean(tf.square(made - batch))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
