"""An array that is multiplied with the inputs: weights of samples or of features, nothing tells."""

import numpy as np
import tensorflow as tf
x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(6,))])
opt = tf.keras.optimizers.SGD(0.1)
mse = tf.keras.losses.MeanSquaredError()
def step(a, b):
    with tf.GradientTape() as t:
        l = mse(b, model(a))
    opt.apply_gradients(zip(t.gradient(l, model.trainable_variables), model.trainable_variables))
    return l
weights = np.array([1., 2., 3., 1., 2., 3.], "float32")
for i in range(8):
    with tf.GradientTape() as t:
        l = tf.reduce_mean(tf.square(model(x * weights) - y))
    opt.apply_gradients(zip(t.gradient(l, model.trainable_variables), model.trainable_variables))
