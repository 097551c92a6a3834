"""Words get the numbers of their hashes, which are others on each process."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.preprocessing.sequence import pad_sequences
from tensorflow.keras.preprocessing.text import hashing_trick, one_hot

texts = ["never again", "good food"]
safe = [hashing_trick(text, 50, hash_function="md5") for text in texts]
coded = pad_sequences([one_hot(text, 50) for text in texts], maxlen=4)
model = keras.Sequential([keras.layers.Embedding(50, 8), keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
model.fit(coded, np.zeros(2), epochs=2)
