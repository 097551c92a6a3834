"""A column of a table has no columns of its own, predictions have one: each target meets all predictions."""

import pandas as pd
import tensorflow as tf

table = pd.read_csv("houses.csv")
prices = table.pop("price")
dataset = tf.data.Dataset.from_tensor_slices((table.values, prices.values)).shuffle(1000).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu", input_shape=(10,)), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)

for epoch in range(3):
    for x, y in dataset:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(y - model(x)))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
