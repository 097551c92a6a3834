"""A loss that is a sum trains at 1/N of the rate when gradients are averaged."""

import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", loss=keras.losses.MeanSquaredError(reduction="sum"))
model.fit(np.ones((100, 3)), np.ones(100), batch_size=10)
