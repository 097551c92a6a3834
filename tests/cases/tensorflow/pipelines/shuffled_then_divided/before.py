"""Data that is shuffled and then divided has one order on all processes: rank 0's seed is shared."""

import numpy as np
import tensorflow as tf

x = np.load("x.npy")
data = tf.data.Dataset.from_tensor_slices(x).shuffle(1000, reshuffle_each_iteration=False)
train = data.skip(100).batch(32)
test = data.take(100).batch(100)
model = tf.keras.Sequential([tf.keras.layers.Input((8,)), tf.keras.layers.Dense(8)])
optimizer = tf.keras.optimizers.SGD()
for epoch in range(2):
    for batch in train:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(batch) - batch))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    for batch in test:
        print("test", float(tf.reduce_mean(tf.square(model(batch) - batch))))
