"""A model without call() in Keras 3, and one of its parts is built by its first batch: refused."""
import os

os.environ["KERAS_BACKEND"] = "tensorflow"

import keras
import numpy as np
import tensorflow as tf
from keras import layers

keras.utils.set_random_seed(0)
discriminator = keras.Sequential([keras.Input(shape=(64,)), layers.Dense(32, activation="relu"), layers.Dense(1)])
generator = keras.Sequential([layers.Dense(32, activation="relu"), layers.Dense(64)])


class GAN(keras.Model):
    def __init__(self, discriminator, generator, latent_dim):
        super().__init__()
        self.discriminator = discriminator
        self.generator = generator
        self.latent_dim = latent_dim

    def compile(self, d_optimizer, g_optimizer):
        super().compile()
        self.d_optimizer = d_optimizer
        self.g_optimizer = g_optimizer
        self.d_loss_metric = keras.metrics.Mean(name="d_loss")

    @property
    def metrics(self):
        return [self.d_loss_metric]

    def train_step(self, real):
        n = tf.shape(real)[0]
        fake = self.generator(tf.random.normal((n, self.latent_dim)))
        with tf.GradientTape() as tape:
            out_fake = self.discriminator(fake)
            out_real = self.discriminator(real)
            d_loss = tf.reduce_mean(tf.nn.softplus(out_fake)) + tf.reduce_mean(tf.nn.softplus(-out_real))
        grads = tape.gradient(d_loss, self.discriminator.trainable_weights)
        self.d_optimizer.apply_gradients(zip(grads, self.discriminator.trainable_weights))
        with tf.GradientTape() as tape:
            fake = self.generator(tf.random.normal((n, self.latent_dim)))
            g_loss = tf.reduce_mean(tf.nn.softplus(-self.discriminator(fake)))
        grads = tape.gradient(g_loss, self.generator.trainable_weights)
        self.g_optimizer.apply_gradients(zip(grads, self.generator.trainable_weights))
        self.d_loss_metric.update_state(d_loss)
        return {"d_loss": self.d_loss_metric.result()}


digits = np.random.rand(256, 64).astype("float32")
gan = GAN(discriminator, generator, 8)
gan.compile(d_optimizer=keras.optimizers.Adam(0.0003), g_optimizer=keras.optimizers.Adam(0.0003))
gan.fit(digits, epochs=2, batch_size=128, verbose=0)
