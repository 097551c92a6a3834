"""A loop that makes its own data on the way: there are no batches to share out."""

import tensorflow as tf

layer = tf.keras.layers.Dense(1)
optimizer = tf.keras.optimizers.SGD()
for step in range(10):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(layer(tf.ones((4, 2))) ** 2)
    gradients = tape.gradient(loss, layer.trainable_variables)
    optimizer.apply_gradients(zip(gradients, layer.trainable_variables))
