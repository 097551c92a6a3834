"""The rate is set between calls of fit."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import backend as K

x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
for rate in (0.1, 0.01):
    K.set_value(model.optimizer.learning_rate, rate)
    model.fit(x, y, epochs=30)
