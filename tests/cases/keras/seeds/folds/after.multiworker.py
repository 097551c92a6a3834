"""Folds that are shuffled without a seed must be the same on every process."""

import numpy as np
from sklearn.model_selection import KFold
from tensorflow import keras
import tensorflow as tf


def build():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model


strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
x = np.arange(400.0).reshape(100, 4)
y = x.sum(1)
for train, test in KFold(5, shuffle=True).split(x):
    with strategy.scope():
        model = build()
    model.fit(x[train], y[train], batch_size=10, verbose=0)
    evaluate_result = model.evaluate(x[test], y[test], verbose=0)
    if strategy.extended.should_checkpoint:
        print(evaluate_result)
