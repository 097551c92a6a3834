"""Dicts in a list are not followed, so what is written of them is reviewed; an array of single numbers is made whole."""

import json

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
x = np.random.rand(256, 6).astype("float32")
y = (x.sum(1) > 3).astype("int32")
dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(256, seed=1).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu", input_shape=(6,)), tf.keras.layers.Dense(2)])
optimizer = tf.keras.optimizers.SGD(0.1)
cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
rows = []

for epoch in range(3):
    for inputs, labels in dataset:
        with tf.GradientTape() as tape:
            loss = cross_entropy(labels, model(inputs, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        rows.append({"epoch": epoch, "loss": float(loss)})
    print(rows[-1])

with open("rows.json", "w") as file:
    json.dump(rows, file)
np.save("losses.npy", np.array([row["loss"] for row in rows]))
