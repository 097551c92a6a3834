"""Gradients are clipped by the norm of all of them: the replicas have to add theirs up before."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1) > 3).astype("int64")
train = tf.data.Dataset.from_tensor_slices((x, y)).batch(32, drop_remainder=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu", input_shape=(6,)), tf.keras.layers.Dense(2)])
optimizer = tf.keras.optimizers.SGD(0.5)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    gradients, _ = tf.clip_by_global_norm(gradients, 0.1)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for epoch in range(3):
    losses = []
    for x, y in train:
        losses.append(float(train_step(x, y)))
    print(f"epoch {epoch} loss {np.mean(losses):.5f}")
