"""Weak scaling: lr=base + extra needs parentheses before it is multiplied; so does a conditional."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

base, extra, fast = 0.01, 0.002, True
loader = DataLoader(TensorDataset(torch.randn(3200, 10), torch.randn(3200, 1)), batch_size=32, shuffle=True)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=base + extra if fast else base)
for epoch in range(10):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
