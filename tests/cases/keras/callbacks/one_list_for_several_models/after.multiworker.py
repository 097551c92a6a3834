"""A list that serves several models: each call of fit gets Horovod's callbacks anew."""

import numpy as np
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
x, y = np.ones((100, 3)), np.ones(100)
stop = [
    keras.callbacks.EarlyStopping(monitor="loss"),
    *([keras.callbacks.CSVLogger("log.csv")] if strategy.extended.should_checkpoint else []),
]
for units in (8, 16):
    with strategy.scope():
        model = keras.Sequential([keras.layers.Dense(units), keras.layers.Dense(1)])
        model.compile(loss="mse", optimizer="sgd")
    model.fit(x, y, epochs=4, batch_size=10, callbacks=stop, verbose=1 if strategy.extended.should_checkpoint else 0)


def train(model, callbacks=None):
    with strategy.scope():
        model.compile(loss="mse", optimizer="adam")
    model.fit(x, y, batch_size=20, callbacks=callbacks, verbose=1 if strategy.extended.should_checkpoint else 0)


train(model)
train(model, [keras.callbacks.TensorBoard("logs")])
