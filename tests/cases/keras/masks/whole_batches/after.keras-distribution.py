"""One program over all devices computes with whole batches: a mask may go to the loss."""

import keras
import numpy as np

keras.distribution.set_distribution(keras.distribution.DataParallel())
model = keras.Sequential([
    keras.layers.Embedding(20, 8, mask_zero=True),
    keras.layers.LSTM(8, return_sequences=True),
    keras.layers.Dense(3, activation="softmax"),
])
model.compile(optimizer="sgd", loss="sparse_categorical_crossentropy")
words = np.zeros((64, 8), dtype=int)
model.fit(words, words, epochs=2)
