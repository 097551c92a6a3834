"""Words are numbered in the order of a set, which is another one in each process."""
import numpy as np
from tensorflow import keras

texts = ["a good film", "a bad film", "good music", "bad music and a good film"] * 25
words = set(word for text in texts for word in text.split())
numbers = {word: number for number, word in enumerate(words)}

x = np.zeros((len(texts), len(numbers)), dtype="float32")
for row, text in enumerate(texts):
    for word in text.split():
        x[row, numbers[word]] = 1
y = np.array(["good" in text for text in texts], dtype="float32")

model = keras.Sequential([keras.layers.Dense(1, activation="sigmoid")])
model.compile(optimizer=keras.optimizers.SGD(0.1), loss="binary_crossentropy")
model.fit(x, y, batch_size=20, epochs=2)
