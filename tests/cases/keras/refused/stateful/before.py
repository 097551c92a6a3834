"""A stateful layer carries what it saw of one batch to the next."""

import numpy as np
from tensorflow.keras.layers import LSTM, Dense
from tensorflow.keras.models import Sequential

model = Sequential([LSTM(8, batch_input_shape=(10, 5, 1), stateful=True), Dense(1)])
model.compile("sgd", "mse")
model.fit(np.ones((100, 5, 1)), np.ones(100), batch_size=10, shuffle=False)
