"""A model that is made and printed in one statement: one device after the other says it."""

import numpy as np
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    inputs = keras.Input((4,))
    hidden = keras.layers.Dense(2)(inputs)
    keras.Model(inputs, hidden).summary()
    model = keras.Model(inputs, keras.layers.Dense(1)(hidden))
    model.compile("adam", "mse")
model.fit(np.ones((64, 4)), np.ones(64), batch_size=16)
