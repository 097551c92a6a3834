"""Methods of the script's own that are called like those of Keras 2, and modules that Keras 3 has: converted."""

import keras
import numpy as np
from keras.wrappers import SKLearnRegressor


class Counting(keras.metrics.Mean):
    def reset_states(self):
        self.reset_state()


keras.utils.set_random_seed(0)
x = np.random.rand(64, 8).astype("float32")
y = x.sum(1, keepdims=True)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y, batch_size=16, epochs=1)
counting = Counting()
counting.update_state(model.predict(x))
counting.reset_states()
print(SKLearnRegressor.__name__)
