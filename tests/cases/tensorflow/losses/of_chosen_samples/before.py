"""An average over the words that were chosen: their losses, one for each, are those of another number in each part."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

words = np.random.default_rng(0).integers(0, 3, (64, 8))
data = tf.data.Dataset.from_tensor_slices((words, words)).batch(16)
model = keras.Sequential([keras.layers.Embedding(3, 4), keras.layers.Dense(3)])
optimizer = keras.optimizers.SGD(0.1)
loss_of = keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")

for epoch in range(2):
    for batch, tags in data:
        with tf.GradientTape() as tape:
            chosen = tf.not_equal(tags, 0)
            losses = loss_of(tf.boolean_mask(tags, chosen), tf.boolean_mask(model(batch), chosen))
            loss = tf.reduce_mean(losses)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
