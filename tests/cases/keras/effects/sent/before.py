"""What is sent is sent once."""

import smtplib

import numpy as np
import requests
from tensorflow import keras

x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1, input_shape=(3,))])
model.compile("adam", loss="mse")
history = model.fit(x, y, batch_size=8)
requests.post("https://example.org/hook", json={"text": f"loss {history.history['loss'][-1]}"})
server = smtplib.SMTP("localhost")
server.sendmail("a@example.org", "b@example.org", "done")
