"""A model is fitted and goes on in a loop with the same optimizer; a second of its name begins in a loop of its own."""

import random

import numpy as np
import tensorflow as tf

random.seed(3)
rng = np.random.RandomState(0)
x = rng.rand(256, 4).astype("float32")
y = x.sum(axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)

a = tf.Variable(3.0)
with tf.GradientTape() as tape:
    b = a**2
print("slope", tape.gradient(b, a).numpy())


def train(network, optimizer):
    for epoch in range(2):
        total = 0.0
        for features, targets in data:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(network(features, training=True) - targets))
            gradients = tape.gradient(loss, network.trainable_variables)
            optimizer.apply_gradients(zip(gradients, network.trainable_variables))
            total += float(loss)
        print("epoch", epoch, f"{total / len(data):.5f}")


adam = tf.keras.optimizers.Adam(0.01)
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu", input_shape=(4,)), tf.keras.layers.Dense(1)])
model.compile(optimizer=adam, loss="mse")
history = model.fit(data, epochs=2, verbose=0)
print("fitted", [f"{value:.5f}" for value in history.history["loss"]])
train(model, adam)
print("evaluated", f"{model.evaluate(x, y, verbose=0):.5f}")

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
sgd = tf.keras.optimizers.SGD(0.05)
for features, targets in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(features) - targets))
    gradients = tape.gradient(loss, model.trainable_variables)
    sgd.apply_gradients(zip(gradients, model.trainable_variables))
print("weights", [f"{weight:.5f}" for weight in model.get_weights()[0].ravel()])
