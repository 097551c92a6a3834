"""Views of a sample are rows for the model, and come back to their sample."""

import numpy as np
import tensorflow as tf

views = 2
dataset = tf.data.Dataset.from_tensor_slices(np.load("views.npy")).shuffle(500, seed=1).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(16)])
optimizer = tf.keras.optimizers.SGD(0.01)

for epoch in range(3):
    for inputs in dataset:
        with tf.GradientTape() as tape:
            rows = model(tf.reshape(inputs, [-1, 20]), training=True)
            pairs = tf.reshape(rows, [-1, views, 16])
            loss = tf.reduce_mean(tf.square(pairs[:, 0] - pairs[:, 1]))
            loss += tf.reduce_mean(tf.square(tf.reshape(rows, [tf.shape(rows)[0] // views, 16 * views])))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
