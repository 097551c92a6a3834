"""A derivative that is only shown is left alone, and so is a variable that is set; what trains is converted."""

import numpy as np
import tensorflow as tf

a = tf.Variable(3.0)
with tf.GradientTape(persistent=True) as tape:
    with tf.GradientTape() as inner:
        b = a**3 + 2 * a
    slope = inner.gradient(b, a)
curvature = tape.gradient(slope, a)
print(slope.numpy(), curvature.numpy())
a.assign(4.0)

x = np.random.RandomState(0).rand(256, 4).astype("float32")
y = x.sum(axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
optimizer = tf.keras.optimizers.SGD(0.05)
for features, targets in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(features) - targets))
    slope = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(slope, model.trainable_variables))
model.compile("sgd", "mse")
model.fit(x, y, batch_size=64, epochs=2)
