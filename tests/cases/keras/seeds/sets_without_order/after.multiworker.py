"""Sets whose order does not show, or is set right."""

import numpy as np
import pandas as pd
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
table = pd.read_csv("table.csv")
wanted = open("wanted.txt").read().split()
names = list(set(wanted) & {"a", "b", "c"})
names.sort()
table = table.drop(list(set(wanted) - {"a"}), axis=1)
table = table.drop(columns=[name for name in set(wanted) - set(names)])
first = sorted(set(wanted), key=wanted.index) + sorted(set(wanted) - {"a"}, key=lambda name: (len(name), name))
if strategy.extended.should_checkpoint:
    print(len(list(set(wanted) | set(first))), list(set(wanted)))
numbers = [number for number in set(range(10)) - {3}]
others = [name for name in set(wanted).difference(names)]
others = sorted(others)


def unused(text):
    """Nobody asks for this."""
    return list(set(text))


with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("adam", loss="mse")
model.fit(table[names].values, table["y"].values, batch_size=8, verbose=1 if strategy.extended.should_checkpoint else 0)
