"""Tables of pandas are shared out by position, lists by way of an array."""

import pandas as pd
from sklearn.model_selection import train_test_split
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
table = pd.read_csv("cars.csv")
target = table.pop("mpg")
train, test, train_target, test_target = train_test_split(table, target, random_state=1)

with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(64), keras.layers.Dense(1)])
    model.compile(loss="mse", optimizer=keras.optimizers.RMSprop(0.001), metrics=["mae"])
model.fit(train, train_target, epochs=10, validation_split=0.2, verbose=0)
evaluate_result = model.evaluate(test, test_target, verbose=0)
if strategy.extended.should_checkpoint:
    print(evaluate_result)
