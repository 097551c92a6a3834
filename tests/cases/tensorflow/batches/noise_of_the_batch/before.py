"""A GAN whose real samples are drawn by random rows: its noise is as long as a batch."""

import numpy as np
import tensorflow as tf

batch_size = 64
latent = 16
images = np.random.RandomState(0).rand(512, 28, 28, 1).astype("float32")

generator = tf.keras.Sequential([tf.keras.layers.Dense(784, input_shape=(latent,)), tf.keras.layers.Reshape((28, 28, 1))])
discriminator = tf.keras.Sequential([tf.keras.layers.Flatten(input_shape=(28, 28, 1)), tf.keras.layers.Dense(1)])
g_optimizer = tf.keras.optimizers.Adam(1e-4)
d_optimizer = tf.keras.optimizers.Adam(1e-4)
cross_entropy = tf.keras.losses.BinaryCrossentropy(from_logits=True)

for step in range(100):
    rows = np.random.randint(0, images.shape[0], batch_size)
    real = images[rows]
    noise = tf.random.normal([batch_size, latent])
    with tf.GradientTape() as g_tape, tf.GradientTape() as d_tape:
        fake = generator(noise, training=True)
        real_scores = discriminator(real, training=True)
        fake_scores = discriminator(fake, training=True)
        g_loss = cross_entropy(tf.ones_like(fake_scores), fake_scores)
        d_loss = cross_entropy(tf.ones_like(real_scores), real_scores)
        d_loss += cross_entropy(tf.zeros_like(fake_scores), fake_scores)
    g_gradients = g_tape.gradient(g_loss, generator.trainable_variables)
    d_gradients = d_tape.gradient(d_loss, discriminator.trainable_variables)
    g_optimizer.apply_gradients(zip(g_gradients, generator.trainable_variables))
    d_optimizer.apply_gradients(zip(d_gradients, discriminator.trainable_variables))
    if step % 20 == 0:
        print(step, float(g_loss), float(d_loss))
