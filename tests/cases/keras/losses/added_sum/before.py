"""A loss added to the model that is a sum over the batch."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import backend as K

inputs = keras.Input((4,))
hidden = keras.layers.Dense(2)(inputs)
model = keras.Model(inputs, keras.layers.Dense(4)(hidden))
model.add_loss(0.1 * K.sum(K.square(hidden)))
model.compile("adam", "mse")
model.fit(np.ones((64, 4)), np.ones((64, 4)))
