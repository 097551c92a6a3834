"""A callback that writes is there on rank 0 alone, and so would end training there alone."""

import numpy as np
from tensorflow import keras


class Best(keras.callbacks.ModelCheckpoint):
    def on_epoch_end(self, epoch, logs=None):
        super().on_epoch_end(epoch, logs)
        if logs["loss"] < 0.1:
            self.model.stop_training = True


x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, epochs=5, callbacks=[Best("best.h5")])
