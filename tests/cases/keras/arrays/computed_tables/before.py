"""What is computed of a table, by operators or by NumPy, is a table: rows are taken by their places."""

import numpy as np
import pandas as pd
from sklearn.utils import shuffle
from tensorflow import keras

table = pd.read_csv("prices.csv")
price = np.log1p(table["price"])
features = table.drop(columns=["price"])
features = (features - features.mean()) / features.std()
features, price = shuffle(features, price, random_state=0)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(features, price, epochs=5, validation_split=0.1)
