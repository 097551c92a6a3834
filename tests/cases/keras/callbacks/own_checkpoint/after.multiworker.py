"""A checkpoint of the script's own writes as Keras' own does: on rank 0."""

import numpy as np
import tensorflow as tf


class Checkpoint(tf.keras.callbacks.ModelCheckpoint):
    def on_epoch_end(self, epoch, logs=None):
        super().on_epoch_end(epoch, logs)


strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
x, y = np.ones((100, 3)), np.ones(100)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(loss="mse", optimizer="sgd")
model.fit(x, y, epochs=4, callbacks=[Checkpoint("w.h5")], verbose=1 if strategy.extended.should_checkpoint else 0)
