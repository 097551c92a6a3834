import numpy as np

data = np.loadtxt("points.csv", delimiter=",", dtype=np.float32)
inputs, classes = data[:, :2], data[:, 2].astype("int32")
labels = np.eye(3)[classes]
