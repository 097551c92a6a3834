"""One step behind the loop that makes the same step."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(256, 4).astype("float32")
y = (x.sum(axis=1) > 2).astype("int64")
train = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu", input_shape=(4,)), tf.keras.layers.Dense(2)])
cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def loss(model, inputs, targets):
    return cross_entropy(y_true=targets, y_pred=model(inputs))




def grad(model, inputs, targets):
    with tf.GradientTape() as tape:
        value = loss(model, inputs, targets)
    return value, tape.gradient(value, model.trainable_variables)


optimizer = tf.keras.optimizers.SGD(0.1)
for epoch in range(3):
    mean = tf.keras.metrics.Mean()
    for inputs, targets in train:
        value, grads = grad(model, inputs, targets)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        mean.update_state(value)
    print(f"epoch {epoch}: {mean.result().numpy():.5f}")
features, labels = next(iter(train))
value, grads = grad(model, features, labels)
print("step", optimizer.iterations.numpy(), "loss:", value.numpy())
optimizer.apply_gradients(zip(grads, model.trainable_variables))
print("step", optimizer.iterations.numpy(), "loss:", loss(model, features, labels).numpy())

