"""Two inputs in a list and two targets in a dict are shared out alike."""

import numpy as np
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
a, b = np.ones((200, 4)), np.ones((200, 6))
with strategy.scope():
    left, right = keras.Input((4,)), keras.Input((6,))
    both = keras.layers.concatenate([left, right])
    first = keras.layers.Dense(1, name="first")(both)
    second = keras.layers.Dense(1, name="second")(both)
    model = keras.Model([left, right], [first, second])
    model.compile(optimizer="sgd", loss="mse", loss_weights=[1.0, 0.5])
model.fit(
    [a, b],
    {"first": a.sum(1), "second": b.sum(1)},
    batch_size=20,
    epochs=2,
    verbose=2 if strategy.extended.should_checkpoint else 0,
)
