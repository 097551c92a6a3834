"""Settings outside the guard need no engine: it starts under the guard, where processes that are spawned do not come."""

import sys
import warnings

import numpy as np
from tensorflow import keras

warnings.filterwarnings("ignore")
sys.setrecursionlimit(3000)
RATE = float("0.1")


def main():
    x, y = np.load("x.npy"), np.load("y.npy")
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile(keras.optimizers.SGD(RATE), loss="mse")
    model.fit(x, y, batch_size=10)


if __name__ == "__main__":
    main()
