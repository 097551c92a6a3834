"""Batch size and epochs from the command line."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
inputs = tf.keras.Input((6,))
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs))
opt = tf.keras.optimizers.SGD(0.1)
mse = tf.keras.losses.MeanSquaredError()

import argparse
def train(args):
    data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(100).batch(args.batch_size)
    for e in range(args.epochs):
        s = 0.0
        for a, b in data:
            with tf.GradientTape() as t:
                l = mse(b, model(a))
            g = t.gradient(l, model.trainable_variables)
            opt.apply_gradients(zip(g, model.trainable_variables))
            s += l
        print(e, s.numpy())
p = argparse.ArgumentParser(); p.add_argument("--batch_size", type=int, default=32); p.add_argument("--epochs", type=int, default=2)
train(p.parse_args())
