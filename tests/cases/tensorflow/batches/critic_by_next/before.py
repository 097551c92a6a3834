"""A critic that takes several steps for each step of the generator, all on batches by next()."""

import numpy as np
import tensorflow as tf

batch_size, latent = 32, 8
tf.random.set_seed(3)
points = np.random.RandomState(0).normal(size=(300, 2)).astype("float32")
data = tf.data.Dataset.from_tensor_slices(points).shuffle(300).batch(batch_size, drop_remainder=True).repeat()
batches = iter(data)

generator = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(latent,))])
critic = tf.keras.Sequential([tf.keras.layers.Dense(8, "tanh", input_shape=(2,)), tf.keras.layers.Dense(1)])
g_optimizer = tf.keras.optimizers.Adam(1e-3)
c_optimizer = tf.keras.optimizers.Adam(1e-3)


def penalty(real, fake):
    share = tf.random.uniform([real.shape[0], 1])
    between = share * real + (1.0 - share) * fake
    with tf.GradientTape() as tape:
        tape.watch(between)
        scores = critic(between)
    gradients = tape.gradient(scores, between)
    return tf.reduce_mean((tf.norm(gradients, axis=1) - 1.0) ** 2)


for epoch in range(50):
    for _ in range(3):
        real = next(batches)
        noise = tf.random.normal([batch_size, latent])
        with tf.GradientTape() as tape:
            fake = generator(noise)
            c_loss = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real)) + 10.0 * penalty(real, fake)
        gradients = tape.gradient(c_loss, critic.trainable_variables)
        c_optimizer.apply_gradients(zip(gradients, critic.trainable_variables))

    noise = tf.random.normal([batch_size, latent])
    with tf.GradientTape() as tape:
        g_loss = -tf.reduce_mean(critic(generator(noise)))
    gradients = tape.gradient(g_loss, generator.trainable_variables)
    g_optimizer.apply_gradients(zip(gradients, generator.trainable_variables))
    if epoch % 10 == 0:
        print(epoch, "critic", float(c_loss), "generator", float(g_loss))
