"""Bars around loops that make data and train are rank 0's; one that the script has switched off stays so."""

import numpy as np
from tensorflow import keras
from tqdm import tqdm, trange

np.random.seed(0)
x = np.zeros((256, 4), "float32")
for i in tqdm(range(256)):
    x[i] = np.random.rand(4)
y = np.zeros(256, "float32")
for i, row in tqdm(enumerate(x), total=256, disable=True):
    y[i] = row.sum()
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(keras.optimizers.SGD(0.1), "mse")
for epoch in trange(2):
    order = np.random.permutation(256)
    bar = tqdm(range(0, 256, 32), desc=f"epoch {epoch}")
    for start in bar:
        batch = order[start : start + 32]
        loss = model.train_on_batch(x[batch], y[batch])
        bar.set_postfix(loss=loss)
model.save("model.h5")
