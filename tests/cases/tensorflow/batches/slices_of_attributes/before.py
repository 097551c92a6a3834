"""A trainer that has its data in attributes."""

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
class Trainer:
    def __init__(self, x, y):
        self.x, self.y = x, y
    def fit(self, epochs):
        for e in range(epochs):
            for i in range(0, len(self.x), 32):
                l = step(self.x[i:i+32], self.y[i:i+32])
            print(e, float(l))
Trainer(x, y).fit(2)
