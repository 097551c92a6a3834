"""A split that nobody seeds must be the same on every process."""

import numpy as np
from sklearn.model_selection import train_test_split
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
x = np.random.rand(300, 4)
y = x.sum(1)
x_train, x_test, y_train, y_test = train_test_split(x, y)
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("adam", "mae")
model.fit(x_train, y_train, batch_size=10, verbose=1 if strategy.extended.should_checkpoint else 0)
evaluate_result = model.evaluate(x_test, y_test, verbose=1 if strategy.extended.should_checkpoint else 0)
if strategy.extended.should_checkpoint:
    print(evaluate_result)
