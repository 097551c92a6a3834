"""Functions are left, and files stood in for, where others than those that are written are missing."""

import os

import numpy as np
from tensorflow import keras

if not os.path.exists("x.npy"):
    raise SystemExit("there are no samples")


def squares(names):
    """Squares of what is there."""
    for name in names:
        if not os.path.exists(name):
            continue
        np.save(f"squares_{name}", np.load(name) ** 2)


squares(["a.npy", "b.npy"])
try:
    y = np.load("y.npy")
except FileNotFoundError:
    y = np.load("x.npy").sum(axis=1)
    np.save("sums.npy", y)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", loss="mse")
model.fit(np.load("x.npy"), y, batch_size=10)
