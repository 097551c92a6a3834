"""Training and validation data are split from one pipeline."""

import numpy as np
import tensorflow as tf

tf.random.set_seed(0)
x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
inputs = tf.keras.Input((6,))
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs))
opt = tf.keras.optimizers.SGD(0.1)
mse = tf.keras.losses.MeanSquaredError()

full = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(256, reshuffle_each_iteration=False)
train, val = full.skip(64).batch(32), full.take(64).batch(32)
for a, b in train:
    with tf.GradientTape() as t:
        l = mse(b, model(a))
    g = t.gradient(l, model.trainable_variables)
    opt.apply_gradients(zip(g, model.trainable_variables))
print(np.mean([mse(b, model(a)) for a, b in val]))
