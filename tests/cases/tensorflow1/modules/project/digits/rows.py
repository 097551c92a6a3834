import numpy as np


def load(rows=96):
    rng = np.random.RandomState(2)
    x = rng.normal(size=(rows, 6)).astype("float32")
    print(rows, "rows")
    return x, np.eye(3, dtype="float32")[np.argmax(x[:, :3], axis=1)]
