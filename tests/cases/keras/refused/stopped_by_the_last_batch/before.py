"""A callback keeps what it is told of a batch, and ends training by it when the epoch ends."""

import numpy as np
import tensorflow as tf


class Stop(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        if np.mean(self.losses) < 0.01:
            self.model.stop_training = True

    def on_epoch_begin(self, epoch, logs=None):
        self.losses = []

    def on_train_batch_end(self, batch, logs=None):
        self.losses.append(logs["loss"])


x, y = np.ones((100, 3)), np.ones(100)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, batch_size=20, epochs=5, callbacks=[Stop()])
