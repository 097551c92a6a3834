import time

from tensorflow import keras


class TimeLimit(keras.callbacks.Callback):
    def __init__(self, seconds):
        super().__init__()
        self.end = time.time() + seconds

    def on_epoch_end(self, epoch, logs=None):
        if time.time() > self.end:
            self.model.stop_training = True


class Best(keras.callbacks.ModelCheckpoint):
    def on_epoch_end(self, epoch, logs=None):
        super().on_epoch_end(epoch, logs)
        if logs["loss"] < 0.1:
            self.model.stop_training = True
