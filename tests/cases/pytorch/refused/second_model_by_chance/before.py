"""By chance a second model is called beside the first: only some processes would have its gradients."""

import random

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(640, 3), torch.randn(640, 3)), batch_size=32, shuffle=True)
model, other = nn.Linear(3, 3), nn.Linear(3, 3)
optimizer = torch.optim.SGD([*model.parameters(), *other.parameters()], lr=0.1)
criterion = nn.MSELoss()
for epoch in range(2):
    for x, y in loader:
        if random.random() < 0.5:
            loss = criterion(model(x.flip(-1)), y) + criterion(other(x), y)
        else:
            loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
