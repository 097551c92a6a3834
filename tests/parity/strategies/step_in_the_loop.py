"""A loop without functions: gradients clipped by their norm, an evaluation among the steps, a summed loss."""

import numpy as np
import tensorflow as tf

tf.random.set_seed(0)
rng = np.random.RandomState(0)
x = rng.rand(250, 6).astype("float32")
y = (x @ rng.rand(6, 1)).astype("float32")
train = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
held_out = tf.data.Dataset.from_tensor_slices((x[:50], y[:50])).batch(32)
model = tf.keras.Sequential(
    [
        tf.keras.layers.Dense(4, activation="tanh", kernel_initializer="ones"),
        tf.keras.layers.Dense(1, kernel_initializer="ones"),
    ]
)
model.build((None, 6))
weight = tf.Variable(tf.ones([6, 1]))
optimizer = tf.keras.optimizers.Adam(0.05)
other = tf.keras.optimizers.SGD(0.02)
seen = tf.keras.metrics.Mean()
error = tf.keras.metrics.MeanAbsoluteError()
schedule = [0.05, 0.02]

for epoch in range(2):
    optimizer.learning_rate = schedule[epoch]
    for step, (a, b) in enumerate(train):
        a = tf.reshape(a, [-1, 6])
        with tf.GradientTape() as tape:
            out = model(a)
            loss = tf.reduce_mean(tf.square(out - b))
        seen.update_state(loss)
        grads = tape.gradient(loss, model.trainable_variables)
        grads, _ = tf.clip_by_global_norm(grads, 0.5)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        with tf.GradientTape() as tape:
            linear = tf.reduce_sum(tf.square(a @ weight - b)) / 32
        other.apply_gradients([(tape.gradient(linear, weight), weight)])
        if step % 4 == 0:
            print(epoch, step, f"loss: {loss.numpy():.5f} linear: {float(linear):.5f}")
            for a, b in held_out:
                out = model(a)
                error.update_state(b, out)
            print(f"held out: {error.result():.5f}, so far {seen.result():.5f}")
            error.reset_state()
    print(f"last loss {float(loss):.5f}")
print("weights", " ".join(f"{w:.4f}" for w in weight.numpy().ravel()))
