"""A seed is set for each epoch, so that its dropout can be had again."""

import numpy as np
import tensorflow as tf

x = np.load("x.npy").astype("float32")
data = tf.data.Dataset.from_tensor_slices((x, x.sum(1, keepdims=True))).batch(32)
model = tf.keras.Sequential()
model.add(tf.keras.layers.Dense(8, input_shape=(4,)))
model.add(tf.keras.layers.Dropout(0.5))
model.add(tf.keras.layers.Dense(1))
optimizer = tf.keras.optimizers.SGD(0.1)
for epoch in range(3):
    tf.random.set_seed(epoch)
    for inputs, targets in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(inputs, training=True) - targets))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
