"""A callback keeps what it is told of an epoch, and ends training by it; what it is told of a batch it shows."""

import numpy as np
import tensorflow as tf


class Stop(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        if self.losses and logs["loss"] > self.losses[-1]:
            self.model.stop_training = True
        self.losses.append(logs["loss"])

    def on_train_begin(self, logs=None):
        self.losses = []

    def on_train_batch_end(self, batch, logs=None):
        self.last = logs["loss"]

    def on_train_end(self, logs=None):
        print("last batch", self.last)


x, y = np.ones((100, 3)), np.ones(100)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, batch_size=20, epochs=5, callbacks=[Stop()])
