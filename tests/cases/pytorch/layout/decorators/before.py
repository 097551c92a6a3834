"""Training and evaluation functions carry decorators, over several lines too."""
import functools
import time

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def timed(label):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            start = time.perf_counter()
            result = function(*args, **kwargs)
            print(f"{label}: {time.perf_counter() - start:.2f} s")
            return result
        return wrapper
    return decorate


@timed(
    "training"
)
def train(model, loader, optimizer, epochs=3):
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()


loader = DataLoader(TensorDataset(torch.randn(320, 10), torch.randn(320, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
train(model, loader, torch.optim.SGD(model.parameters(), lr=0.1))
