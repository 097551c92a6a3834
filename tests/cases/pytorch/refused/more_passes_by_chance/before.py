"""By chance the model is called for each of several parts: processes would make different numbers of forward passes."""

import random

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(640, 4), torch.randn(640, 2)), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(2, 8), nn.BatchNorm1d(8), nn.Linear(8, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.MSELoss()
for epoch in range(2):
    for x, y in loader:
        if random.random() < 0.5:
            loss = sum(criterion(model(part), y) for part in (x[:, :2], x[:, 2:]))
        else:
            loss = criterion(model(x[:, :2]), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
