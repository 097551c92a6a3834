"""A train_step with losses of its own: under a strategy they are divided; noise within a layer stays each process's own."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Sampling(layers.Layer):
    def call(self, inputs):
        z_mean, z_log_var = inputs
        epsilon = tf.random.normal(shape=tf.shape(z_mean))
        return z_mean + tf.exp(0.5 * z_log_var) * epsilon


strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
with strategy.scope():
    pixels = keras.Input((8, 8, 1))
    hidden = layers.Dense(16, activation="relu")(layers.Flatten()(pixels))
    mean, log_var = layers.Dense(2)(hidden), layers.Dense(2)(hidden)
    encoder = keras.Model(pixels, [mean, log_var, Sampling()([mean, log_var])])
    codes = keras.Input((2,))
    decoder = keras.Model(codes, layers.Reshape((8, 8, 1))(layers.Dense(64, activation="sigmoid")(codes)))


class VAE(keras.Model):
    def __init__(self, encoder, decoder):
        super().__init__()
        self.encoder = encoder
        self.decoder = decoder
        self.tracker = keras.metrics.Mean(name="loss")

    @property
    def metrics(self):
        return [self.tracker]

    def train_step(self, data):
        with tf.GradientTape() as tape:
            z_mean, z_log_var, z = self.encoder(data)
            lost = tf.reduce_sum(keras.losses.binary_crossentropy(data, self.decoder(z)), axis=(1, 2))
            kl = 1 + z_log_var - tf.square(z_mean) - tf.exp(z_log_var)
            loss = tf.reduce_mean(lost) + tf.reduce_mean(tf.reduce_sum(-0.5 * kl, axis=1))
            scaled_loss = loss / strategy.num_replicas_in_sync
        grads = tape.gradient(scaled_loss, self.trainable_weights)
        self.optimizer.apply_gradients(zip(grads, self.trainable_weights))
        self.tracker.update_state(loss)
        return {"loss": self.tracker.result()}


with strategy.scope():
    vae = VAE(encoder, decoder)
    vae.compile(optimizer=keras.optimizers.Adam())
vae.fit(
    np.random.RandomState(0).rand(64, 8, 8, 1),
    epochs=2,
    batch_size=16,
    verbose=1 if strategy.extended.should_checkpoint else 0,
)
