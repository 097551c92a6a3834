"""A callback that adds noise to the weights: every process has it, and draws its own."""

import numpy as np
from tensorflow import keras
import tensorflow as tf


class Shake(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        self.model.set_weights([w + 0.01 * np.random.normal(size=w.shape) for w in self.model.get_weights()])


strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
x, y = np.zeros((64, 8)), np.zeros((64, 1))
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", "mse")
model.fit(x, y, batch_size=16, epochs=3, callbacks=[Shake()], verbose=1 if strategy.extended.should_checkpoint else 0)
