"""Weak scaling: the rate is the second positional argument."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(3200, 10), torch.randn(3200, 1)), 32, True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), 1e-2, 0.9)
for epoch in range(10):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
