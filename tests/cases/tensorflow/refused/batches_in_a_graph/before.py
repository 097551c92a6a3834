"""Batches are cut where TensorFlow makes a graph of the loop."""

import numpy as np
import tensorflow as tf

x = tf.constant(np.random.RandomState(0).rand(256, 6).astype("float32"))
model = tf.keras.Sequential([tf.keras.layers.Dense(6, input_shape=(6,))])
optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function
def epoch():
    for step in range(8):
        batch = x[step * 32 : (step + 1) * 32]
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(batch) - batch))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))


epoch()
