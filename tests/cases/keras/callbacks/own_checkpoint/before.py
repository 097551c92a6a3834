"""A checkpoint of the script's own writes as Keras' own does: on rank 0."""

import numpy as np
import tensorflow as tf


class Checkpoint(tf.keras.callbacks.ModelCheckpoint):
    def on_epoch_end(self, epoch, logs=None):
        super().on_epoch_end(epoch, logs)


x, y = np.ones((100, 3)), np.ones(100)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(loss="mse", optimizer="sgd")
model.fit(x, y, epochs=4, callbacks=[Checkpoint("w.h5")])
