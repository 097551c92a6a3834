"""Norms of the gradients of images, put into rows: one number a sample, and less one for all."""

import tensorflow as tf

images = tf.random.normal((256, 8, 8, 1))
batches = tf.data.Dataset.from_tensor_slices(images).batch(32)
critic = tf.keras.Sequential([tf.keras.layers.Conv2D(4, 3), tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])
critic.build((None, 8, 8, 1))
optimizer = tf.keras.optimizers.Adam(1e-3)


def penalty(image):
    with tf.GradientTape() as tape:
        tape.watch(image)
        score = critic(image)
    slopes = tape.gradient(score, image)
    slopes = tf.reshape(slopes, [slopes.shape[0], -1])
    spread = tf.math.reduce_std(slopes, axis=1)
    return tf.reduce_mean((tf.norm(slopes, axis=1) - 1) ** 2 + 0.1 * spread)


for image in batches:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(critic(image)) + 10.0 * penalty(image)
    gradients = tape.gradient(loss, critic.trainable_variables)
    optimizer.apply_gradients(zip(gradients, critic.trainable_variables))
