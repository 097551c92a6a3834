"""Noise that a model's own step draws must differ between processes, whatever the seed."""

import numpy as np
import tensorflow as tf

tf.random.set_seed(3)
x = np.ones((100, 3), dtype="float32")


class Denoiser(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(3)

    def call(self, inputs):
        return self.dense(inputs)

    def train_step(self, data):
        noise = tf.random.normal(tf.shape(data))
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(data + noise) - data))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


model = Denoiser()
model.compile("adam")
model.fit(x, batch_size=20)
