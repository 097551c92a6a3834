"""Vectors of words are trained by threads, and are the weights of a layer."""

import numpy as np
from gensim.models import Word2Vec
from tensorflow import keras

x, y = np.load("x.npy"), np.load("y.npy")
words = Word2Vec([line.split() for line in open("texts.txt")], vector_size=16, workers=4)
vectors = np.stack([words.wv[word] for word in words.wv.index_to_key])
model = keras.Sequential([keras.layers.Embedding(*vectors.shape, weights=[vectors]), keras.layers.LSTM(8)])
model.add(keras.layers.Dense(1))
model.compile("adam", loss="mse")
model.fit(x, y, batch_size=8)
