"""The answer to a message is used, so every process sends one."""

import numpy as np
import requests
from tensorflow import keras

x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1, input_shape=(3,))])
model.compile("adam", loss="mse")
model.fit(x, y, batch_size=8)
answer = requests.post("https://example.org/hook", json={"text": "done"})
print(answer.status_code)
