"""Noise of the size of a batch stays as it is: a process has as many samples as the script says."""

import tensorflow as tf

BATCH = 32
real = tf.random.stateless_normal([256, 6], seed=[1, 2])
data = tf.data.Dataset.from_tensor_slices(real).batch(BATCH, drop_remainder=True)
make = tf.keras.Sequential([tf.keras.layers.Dense(6, input_shape=(3,))])
tell = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(6,))])
optimizer = tf.keras.optimizers.Adam(1e-3)

for epoch in range(2):
    for images in data:
        noise = tf.random.normal([BATCH, 3])
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tell(make(noise))) - tf.reduce_mean(tell(images))
        gradients = tape.gradient(loss, tell.trainable_variables)
        optimizer.apply_gradients(zip(gradients, tell.trainable_variables))
    print("epoch", epoch)
