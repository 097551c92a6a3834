"""A variational autoencoder as Keras' examples write it: a train_step with losses of its own, noise aside."""

import numpy as np
import tensorflow as tf
from sklearn.datasets import load_digits
from tensorflow import keras

keras.utils.set_random_seed(0)
x = (load_digits().data[:512] / 16).astype("float32")


class Autoencoder(keras.Model):
    def __init__(self, encoder, decoder):
        super().__init__()
        self.encoder = encoder
        self.decoder = decoder
        self.total_loss_tracker = keras.metrics.Mean(name="total_loss")
        self.kl_loss_tracker = keras.metrics.Mean(name="kl_loss")

    @property
    def metrics(self):
        return [self.total_loss_tracker, self.kl_loss_tracker]

    def call(self, data):
        return self.decoder(self.encoder(data)[0])

    def train_step(self, data):
        with tf.GradientTape() as tape:
            z_mean, z_log_var = self.encoder(data)
            reconstruction = self.decoder(z_mean)
            reconstruction_loss = tf.reduce_mean(tf.reduce_sum(tf.square(data - reconstruction), axis=1))
            kl_loss = -0.5 * (1 + z_log_var - tf.square(z_mean) - tf.exp(z_log_var))
            kl_loss = tf.reduce_mean(tf.reduce_sum(kl_loss, axis=1))
            total_loss = reconstruction_loss + kl_loss
        grads = tape.gradient(total_loss, self.trainable_weights)
        self.optimizer.apply_gradients(zip(grads, self.trainable_weights))
        self.total_loss_tracker.update_state(total_loss)
        self.kl_loss_tracker.update_state(kl_loss)
        return {"loss": self.total_loss_tracker.result(), "kl_loss": self.kl_loss_tracker.result()}


inputs = keras.Input((64,))
hidden = keras.layers.Dense(32, activation="relu")(inputs)
encoder = keras.Model(inputs, [keras.layers.Dense(2)(hidden), keras.layers.Dense(2)(hidden)])
codes = keras.Input((2,))
decoder = keras.Model(codes, keras.layers.Dense(64)(keras.layers.Dense(32, activation="relu")(codes)))
model = Autoencoder(encoder, decoder)
model.compile(keras.optimizers.SGD(0.001))
history = model.fit(x, batch_size=64, epochs=3, shuffle=False, verbose=0)
print({name: [f"{value:.5f}" for value in values] for name, values in history.history.items()})
print(f"{np.abs(encoder.get_weights()[0]).sum():.4f}")
