"""A tag for each word: the mask of the embedding goes to the loss, which is an average over the words of the batch."""

import numpy as np
from tensorflow import keras

words = np.random.default_rng(0).integers(0, 20, (64, 8))
model = keras.Sequential()
model.add(keras.layers.Embedding(20, 8, mask_zero=True))
model.add(keras.layers.Bidirectional(keras.layers.LSTM(8, return_sequences=True)))
model.add(keras.layers.TimeDistributed(keras.layers.Dense(3, activation="softmax")))
model.compile(optimizer="sgd", loss="sparse_categorical_crossentropy")
model.fit(words, words % 3, epochs=2)
