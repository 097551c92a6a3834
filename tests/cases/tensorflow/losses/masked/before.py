"""A loss object averages over the words that a mask leaves of a batch: a sum over a number that differs between parts."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

words = np.random.default_rng(0).integers(0, 20, (64, 8))
data = tf.data.Dataset.from_tensor_slices((words, words % 3)).batch(16)
model = keras.Sequential([
    keras.layers.Embedding(20, 8, mask_zero=True),
    keras.layers.LSTM(8, return_sequences=True),
    keras.layers.Dense(3),
])
optimizer = keras.optimizers.SGD(0.1)
loss_of = keras.losses.SparseCategoricalCrossentropy(from_logits=True)

for epoch in range(2):
    for batch, tags in data:
        with tf.GradientTape() as tape:
            loss = loss_of(tags, model(batch, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
