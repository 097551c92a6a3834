"""A dictionary made from a set has another order on each process."""

import numpy as np
from keras.layers import Dense, Embedding, Flatten
from keras.models import Sequential

text = open("book.txt").read()
chars = list(set(text))
numbers = {c: i for i, c in enumerate(chars)}
x = np.array([[numbers[c] for c in text[i : i + 8]] for i in range(1000)])
model = Sequential([Embedding(len(chars), 8, input_length=8), Flatten(), Dense(1)])
model.compile("adam", "mse")
model.fit(x, np.ones(1000), batch_size=16)
