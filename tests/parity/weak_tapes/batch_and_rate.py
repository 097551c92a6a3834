"""A loop whose batch and rate come from the command line: N processes follow one with N times both."""

import sys

import numpy as np
import tensorflow as tf

batch, rate = int(sys.argv[1]), float(sys.argv[2])
tf.keras.utils.set_random_seed(0)
x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1) > 3).astype("int64")
train = tf.data.Dataset.from_tensor_slices((x, y)).batch(batch)
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="tanh", input_shape=(6,)), tf.keras.layers.Dense(2)])
optimizer = tf.keras.optimizers.SGD(rate, momentum=0.9)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
accuracy = tf.keras.metrics.SparseCategoricalAccuracy()


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        logits = model(x)
        loss = loss_fn(y, logits)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    accuracy.update_state(y, logits)
    return loss


for epoch in range(4):
    total, batches = 0.0, 0
    for x, y in train:
        total += float(train_step(x, y))
        batches += 1
    print(f"epoch {epoch} loss {total / batches:.5f} accuracy {accuracy.result():.4f} in {batches} steps")
