"""Targets that are computed in the call, in a dict and in a list: the rows are those of the result."""

import numpy as np
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.random.set_seed(1)
np.random.seed(0)
x = np.random.rand(256, 16).astype("float32")
y = np.random.randint(0, 10, 256)
with strategy.scope():
    inputs = keras.Input((16,))
    hidden = keras.layers.Dense(8, activation="relu")(inputs)
    digit = keras.layers.Dense(10, activation="softmax", name="digit")(hidden)
    odd = keras.layers.Dense(1, activation="sigmoid", name="odd")(hidden)
    model = keras.Model(inputs, [digit, odd])
    model.compile("adam", ["sparse_categorical_crossentropy", "binary_crossentropy"])
model.fit(
    x, {"digit": y, "odd": y % 2}, batch_size=32, epochs=2, verbose=1 if strategy.extended.should_checkpoint else 0
)
model.fit(
    x,
    [y, y % 2],
    batch_size=32,
    epochs=2,
    validation_split=0.25,
    verbose=1 if strategy.extended.should_checkpoint else 0,
)
