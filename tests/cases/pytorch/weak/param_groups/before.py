"""Weak scaling: each group's own rate and the default rate are scaled alike."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(3200, 10), torch.randn(3200, 1)), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 1))
optimizer = torch.optim.SGD([
    {"params": model[0].parameters(), "lr": 1e-3},
    {"params": model[2].parameters()},
], lr=1e-2)
for epoch in range(10):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
