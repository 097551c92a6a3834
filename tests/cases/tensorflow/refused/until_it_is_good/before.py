"""A while loop."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(256, 6).astype("float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(6, input_shape=(6,))])
optimizer = tf.keras.optimizers.SGD(0.1)
step = 0
while step < 100:
    batch = x[step : step + 32]
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(batch) - batch))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    step += 1
