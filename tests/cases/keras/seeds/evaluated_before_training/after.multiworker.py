"""What a model gives before it is fitted decides when to stop: all processes make the same model."""

import numpy as np
import tensorflow as tf
strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
x = np.load("x.npy"); y = np.load("y.npy")
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Input((8,)), tf.keras.layers.Dense(8)])
    model.compile("sgd", "mse")
best = model.evaluate(x, y, verbose=1 if strategy.extended.should_checkpoint else 0)
for epoch in range(3):
    model.fit(x, y, batch_size=32, verbose=1 if strategy.extended.should_checkpoint else 0)
    now = model.evaluate(x, y, verbose=1 if strategy.extended.should_checkpoint else 0)
    if now > best:
        break
    best = now
