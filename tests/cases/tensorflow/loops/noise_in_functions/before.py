"""Dropout by a function, and pictures turned by chance, draw other numbers on each process."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
x, y = np.ones((100, 8, 8, 3), dtype="float32"), np.ones((100, 1), dtype="float32")
data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(100).batch(20)
model = tf.keras.Sequential([tf.keras.Input((8, 8, 3)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
for epoch in range(3):
    for images, labels in data:
        images = tf.image.random_flip_left_right(images)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(tf.nn.dropout(images, 0.5)) - labels))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
