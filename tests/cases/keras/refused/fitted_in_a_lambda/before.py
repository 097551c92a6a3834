"""The call of fit stands in a lambda, whose arguments are its data."""
import numpy as np
from tensorflow import keras

x = np.random.rand(600, 8)
y = x.sum(1)
model = keras.Sequential([keras.layers.Dense(4, activation="relu"), keras.layers.Dense(1)])
model.compile("adam", "mse")
fit = lambda inputs, targets, size=32: model.fit(inputs, targets, batch_size=size, epochs=1, verbose=0)
for i in range(3):
    history = fit(x[i::3], y[i::3])
    print(history.history["loss"])
