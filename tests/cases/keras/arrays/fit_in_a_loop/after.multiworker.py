"""A model fitted in a loop, one epoch at a time, with samples shown on the way."""

import numpy as np
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
x = np.random.default_rng(0).normal(size=(640, 5))
y = x.sum(1)
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile(loss="mse", optimizer="sgd")
for iteration in range(1, 20):
    if strategy.extended.should_checkpoint:
        print("Iteration", iteration)
    model.fit(x, y, batch_size=64, epochs=1, verbose=1 if strategy.extended.should_checkpoint else 0)
    predict_result = model.predict(x[:1], verbose=0)
    if strategy.extended.should_checkpoint:
        print("guess", predict_result[0, 0], "truth", y[0])
