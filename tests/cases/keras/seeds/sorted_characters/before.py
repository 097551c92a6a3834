"""The order of a set is lost where it is sorted, however many lists lie between."""

import numpy as np
from tensorflow import keras

with open("book.txt") as file:
    text = file.read()
characters = sorted(list(set(text)))
words = set(word for line in text.split() for word in line)
words = sorted(list(words))
longest = max([len(word) for word in words])
index = {character: i for i, character in enumerate(characters)}
x = np.zeros((len(text), len(characters)), dtype=bool)
for i, character in enumerate(text):
    x[i, index[character]] = 1
model = keras.Sequential([keras.layers.Dense(len(characters), activation="softmax")])
model.compile(optimizer=keras.optimizers.Adam(), loss="categorical_crossentropy")
model.fit(x[:-1], x[1:])
