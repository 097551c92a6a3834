"""A module of a package imports what is beside the package by two dots: Python has nothing above the package."""

import torch
from torch.utils.data import DataLoader, TensorDataset

from nets.small import Small

loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), batch_size=16)
model = Small()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in loader:
    optimizer.zero_grad()
    torch.nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()
