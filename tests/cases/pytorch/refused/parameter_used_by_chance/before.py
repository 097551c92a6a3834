"""A parameter of no model is used for some batches, by chance: not all processes would have a gradient to average."""

import random

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(640, 3), torch.randn(640, 3)), batch_size=32, shuffle=True)
model = nn.Linear(3, 3)
scale = nn.Parameter(torch.ones(1))
optimizer = torch.optim.SGD([*model.parameters(), scale], lr=0.1)
criterion = nn.MSELoss()
for epoch in range(2):
    for x, y in loader:
        if random.random() < 0.5:
            x = x * scale
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
