"""What is written and printed for each row of a table, by functions that nobody is seen to call."""

import numpy as np
import pandas as pd
from tensorflow import keras

table = pd.read_csv("table.csv")
table["path"].apply(lambda path: np.save(f"{path}.npy", np.load(path) ** 2))
x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", loss="mse")
model.fit(x, y, batch_size=8)
