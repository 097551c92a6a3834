"""Gradient descent in NumPy: a training loop, though no framework of ours."""
import numpy as np

rng = np.random.default_rng(0)
x = rng.normal(size=(200, 3))
y = x @ np.array([1.0, -2.0, 0.5])
w = np.zeros(3)
lr = 0.1
for epoch in range(50):
    grad = 2 * x.T @ (x @ w - y) / len(y)
    w -= lr * grad
print(w)
