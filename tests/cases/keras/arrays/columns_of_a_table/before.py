"""Columns of a table in a dict are taken by position, not by the labels of the rows."""

import pandas as pd
from tensorflow import keras

table = pd.read_csv("patients.csv").sample(frac=1, random_state=1)
target = table.pop("target")
columns = dict(table)
inputs = {name: keras.Input((1,), name=name) for name in columns}
output = keras.layers.Dense(1)(keras.layers.concatenate(list(inputs.values())))
model = keras.Model(inputs, output)
model.compile(optimizer=keras.optimizers.Adam(), loss="mse")
model.fit(columns, target, epochs=2)
