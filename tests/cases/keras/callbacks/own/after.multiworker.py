"""A callback of the script's own runs everywhere, and says what it says once."""

import numpy as np
from tensorflow import keras
import tensorflow as tf


class Report(keras.callbacks.Callback):
    def __init__(self, goal):
        super().__init__()
        self.goal = goal

    def on_epoch_end(self, epoch, logs=None):
        if strategy.extended.should_checkpoint:
            print("epoch", epoch, "loss", logs["loss"])
        if logs["loss"] < self.goal:
            self.model.stop_training = True


def rate(epoch):
    if strategy.extended.should_checkpoint:
        print("rate of epoch", epoch)
    return 0.1 / (1 + epoch)


strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
x, y = np.ones((100, 3)), np.ones(100)
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile(loss="mse", optimizer="sgd")
shown = keras.callbacks.LambdaCallback(on_train_end=lambda logs: print("done"))
model.fit(
    x,
    y,
    epochs=4,
    callbacks=[
        Report(0.1),
        keras.callbacks.LearningRateScheduler(rate),
        *([shown] if strategy.extended.should_checkpoint else []),
    ],
    verbose=1 if strategy.extended.should_checkpoint else 0,
)
