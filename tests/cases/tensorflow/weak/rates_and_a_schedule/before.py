"""The batch of a process stays, and rates grow N-fold: one by default, one in a schedule over 1/N of its steps."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1) > 3).astype("int64")
train = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
body = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu", input_shape=(6,))])
head = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(8,))])
slow = tf.keras.optimizers.SGD()
fast = tf.keras.optimizers.Adam(tf.keras.optimizers.schedules.ExponentialDecay(0.01, decay_steps=40, decay_rate=0.9))
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(x, y):
    with tf.GradientTape(persistent=True) as tape:
        loss = loss_fn(y, head(body(x)))
    slow.apply_gradients(zip(tape.gradient(loss, body.trainable_variables), body.trainable_variables))
    fast.apply_gradients(zip(tape.gradient(loss, head.trainable_variables), head.trainable_variables))
    return loss


for epoch in range(3):
    losses = [0.0]
    for x, y in train:
        losses.append(float(train_step(x, y)))
    print(f"epoch {epoch} loss {losses[-1]:.5f}")
