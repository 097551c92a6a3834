"""Words that are as frequent as others stay in the order of a set when they are sorted."""
import collections

import numpy as np
from tensorflow import keras

texts = open("texts.txt").read().splitlines()
counts = collections.Counter(word for text in texts for word in text.split())
words = sorted(set(counts), key=counts.get)
numbers = {word: number for number, word in enumerate(words)}
x = np.zeros((len(texts), len(numbers)))
for row, text in enumerate(texts):
    for word in text.split():
        x[row, numbers[word]] = 1
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", loss="mse")
model.fit(x, np.load("y.npy"), batch_size=8)
