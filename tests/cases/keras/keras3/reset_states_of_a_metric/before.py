"""Metrics of Keras 3 have reset_state, not reset_states: refused."""

import keras
import numpy as np

keras.utils.set_random_seed(0)
x = np.random.rand(64, 8).astype("float32")
y = x.sum(1, keepdims=True)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y, batch_size=16, epochs=1)
error = keras.metrics.MeanSquaredError()
error.update_state(y, model.predict(x))
print(float(error.result()))
error.reset_states()
