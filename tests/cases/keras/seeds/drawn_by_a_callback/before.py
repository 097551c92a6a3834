"""A callback draws for all processes alike, so the noise of the step is alike too, and a review says so."""

import numpy as np
import tensorflow as tf

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


class Show(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        print(self.model(tf.random.normal((2, 3))).numpy())


model = Denoiser()
model.compile("adam")
model.fit(x, batch_size=20, callbacks=[Show()])
