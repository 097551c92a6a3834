"""An input with a batch size in a model that is fitted; another model with one is only called."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

BATCH = 32
shown = keras.Model(seen := keras.Input(batch_shape=(1, 10)), keras.layers.Dense(1)(seen))
inputs = keras.Input(batch_shape=(BATCH, 10))
model = keras.Model(inputs, keras.layers.Dense(1)(inputs))
model.compile(optimizer="sgd", loss="mse")
model.fit(np.zeros((64, 10)), np.zeros(64), batch_size=BATCH)
