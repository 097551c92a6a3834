"""The loss of the last training batch, kept in tables of pandas and in an object of a library."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import tensorflow as tf

tf.random.set_seed(1)
x = np.load("x.npy")
data = tf.data.Dataset.from_tensor_slices(x).shuffle(64).batch(8)
model = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(4,))])
optimizer = tf.keras.optimizers.SGD(0.1)


def loss_of(batch):
    return tf.reduce_mean(tf.square(model(batch) - batch))


losses = pd.DataFrame(columns=["error"])
best = pd.Series(dtype=float)
kept = SimpleNamespace(errors=[])
for epoch in range(3):
    for batch in data:
        with tf.GradientTape() as tape:
            loss = loss_of(batch)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    error = np.mean([loss_of(batch), loss_of(batch)])
    losses.loc[len(losses)] = [error]
    best[epoch] = error
    kept.errors.append(error)
    print("error:", losses.error.values[-1])
    print("best error:", best.min())
    print("errors:", kept.errors)
print(pd.DataFrame({"last": [error]}).to_string())
