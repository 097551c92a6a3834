"""What is done with gradients behind the tape is done with the whole."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
inputs = tf.keras.Input((6,))
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs))
opt = tf.keras.optimizers.SGD(0.1)
mse = tf.keras.losses.MeanSquaredError()

acc = [tf.zeros_like(v) for v in model.trainable_variables]
for i, (a, b) in enumerate(ds):
    with tf.GradientTape() as t:
        l = mse(b, model(a))
    g = t.gradient(l, model.trainable_variables)
    acc = [p + q for p, q in zip(acc, g)]
    if (i + 1) % 4 == 0:
        opt.apply_gradients(zip(acc, model.trainable_variables))
        acc = [tf.zeros_like(v) for v in model.trainable_variables]
