"""What rank 0 has saved is read by a function of another library: all wait for it."""

import numpy as np
from gensim.models import Word2Vec
from tensorflow import keras

vectors = Word2Vec([["a", "b"], ["b", "c"]], workers=1)
vectors.save("vectors.model")
again = Word2Vec.load("vectors.model")
x = np.load("x.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", loss="mse")
model.fit(x, x[:, :1], batch_size=10)
