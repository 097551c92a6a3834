"""A library's embedding is told to make a mask, and its layers may hand it on."""

import keras_nlp
import numpy as np
from tensorflow import keras

words = keras.Input((8,), dtype="int32")
embedding = keras_nlp.layers.TokenAndPositionEmbedding(20, 8, 16, mask_zero=True)
hidden = keras_nlp.layers.TransformerDecoder(32, 2)(embedding(words))
model = keras.Model(words, keras.layers.Dense(20)(hidden))
model.compile(optimizer="adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
text = np.zeros((64, 8), dtype=int)
model.fit(text, text, epochs=2)
