"""A schedule of the script's own."""

import numpy as np
from tensorflow import keras


class Slower(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        return 1.0 / (step + 1.0)


x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(keras.optimizers.SGD(Slower()), "mse")
model.fit(x, y, epochs=30)
