"""The step is a nested function that rebinds variables of the function around it (nonlocal)."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def train(epochs):
    loader = DataLoader(TensorDataset(torch.randn(640, 10), torch.randn(640, 1)), batch_size=32, shuffle=True)
    model = nn.Linear(10, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    steps, smoothed = 0, None

    def step(x, y):
        nonlocal steps, smoothed
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        steps += 1
        smoothed = loss.item() if smoothed is None else 0.9 * smoothed + 0.1 * loss.item()

    for epoch in range(epochs):
        for x, y in loader:
            step(x, y)
        print(steps, smoothed)


train(3)
