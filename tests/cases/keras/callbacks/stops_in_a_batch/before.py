"""A decision on the loss of one batch would leave the others waiting."""

import numpy as np
from tensorflow import keras


class Impatient(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        if logs["loss"] > 100:
            self.model.stop_training = True


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(loss="mse", optimizer="sgd")
model.fit(np.ones((10, 2)), np.ones(10), callbacks=[Impatient()])
