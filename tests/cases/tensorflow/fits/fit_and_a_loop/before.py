"""A model is fitted, and trained further in a loop of a function that gets it as an argument."""

import numpy as np
import tensorflow as tf

np.random.seed(0)
x = np.random.rand(256, 4).astype("float32")
y = x.sum(axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)


def make(width):
    return tf.keras.Sequential(
        [tf.keras.layers.Dense(width, activation="relu", input_shape=(4,)), tf.keras.layers.Dense(1)]
    )


def train(network, optimizer):
    for epoch in range(2):
        total = 0.0
        for features, targets in data:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(network(features, training=True) - targets))
            gradients = tape.gradient(loss, network.trainable_variables)
            optimizer.apply_gradients(zip(gradients, network.trainable_variables))
            total += float(loss)
        print("epoch", epoch, "loss", round(total / len(data), 5))


model = make(8)
model.compile(optimizer=tf.keras.optimizers.Adam(0.01), loss="mse")
history = model.fit(x, y, batch_size=32, epochs=2, shuffle=False, verbose=0)
print("fitted", [round(value, 5) for value in history.history["loss"]])
train(model, tf.keras.optimizers.SGD(0.05))
print("error", round(float(model.evaluate(x, y, verbose=0)), 5))
model.save_weights("model.h5")
