"""Layers, tensors and compile of a functional model stand under one scope, with what little is between."""

import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import LSTM, Dense, Embedding, Input
from tensorflow.keras.models import Model

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
with strategy.scope():
    tokens = Input(shape=(None,))
    x = Embedding(1000, 32)(tokens)
    # One vector for each sequence
    for units in (32, 16):
        x = LSTM(units, return_sequences=units > 16)(x)
if strategy.extended.should_checkpoint:
    print("layers done")
with strategy.scope():
    outputs = Dense(1, activation="sigmoid")(x)
    model = Model(tokens, outputs)
    model.compile("adam", "binary_crossentropy", metrics=[tf.keras.metrics.AUC()])
texts = np.zeros((64, 10))
model.fit(texts, np.zeros(64), epochs=1, verbose=1 if strategy.extended.should_checkpoint else 0)
