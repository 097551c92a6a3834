"""The sequence that a decoder gives has a mask, its states have none; joined with what attends to it, it keeps it."""

import numpy as np
from tensorflow.keras.layers import LSTM, Attention, Concatenate, Dense, Embedding, Input
from tensorflow.keras.models import Model

source, target = Input((None,)), Input((None,))
encoder, hidden, cell = LSTM(8, return_sequences=True, return_state=True)(Embedding(20, 8)(source))
embedded = Embedding(20, 8, mask_zero=True)(target)
decoder, _, _ = LSTM(8, return_sequences=True, return_state=True)(embedded, initial_state=[hidden, cell])
attended = Attention()([decoder, encoder])
outputs = Dense(20, activation="softmax")(Concatenate()([decoder, attended]))
model = Model([source, target], outputs)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
words = np.zeros((64, 8), dtype=int)
model.fit([words, words], words, epochs=2)
