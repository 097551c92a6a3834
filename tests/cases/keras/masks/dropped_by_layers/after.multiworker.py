"""Masks that no loss sees: a last state, an average over the words, a state of a decoder, a sum of the script's own."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Pooled(keras.Model):
    def __init__(self):
        super().__init__()
        self.embedding = layers.Embedding(20, 8, mask_zero=True)
        self.dense = layers.Dense(1)

    def call(self, inputs):
        return self.dense(tf.reduce_mean(self.embedding(inputs), axis=1))


strategy = tf.distribute.MultiWorkerMirroredStrategy()
with strategy.scope():
    words = layers.Input((8,))
    embedded = layers.Embedding(20, 8, mask_zero=True)(words)
    sequence, hidden, _ = layers.LSTM(8, return_sequences=True, return_state=True)(embedded)
    pooled = layers.GlobalAveragePooling1D()(sequence)
    convolved = layers.Flatten()(layers.Conv1D(4, 2)(embedded))
    joined = layers.Concatenate()([layers.GRU(8)(embedded), pooled, convolved, hidden, sequence[:, 0]])
    first = keras.Model(words, layers.Dense(1)(joined))
    second = keras.Sequential()
    second.add(layers.Embedding(20, 8, mask_zero=True))
    second.add(layers.Bidirectional(layers.LSTM(8)))
    second.add(layers.Dense(1))
    third = Pooled()
keras.utils.set_random_seed(1)
for model in (first, second, third):
    with strategy.scope():
        model.compile(optimizer="adam", loss="mse")
    model.fit(
        np.zeros((64, 8)), np.zeros((64, 1)), batch_size=16, verbose=1 if strategy.extended.should_checkpoint else 0
    )
