"""A dict of a name and a count is printed: the count is reduced, the name stays."""
import json
import logging

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 4)
y = torch.randn(64, 1)
loader = DataLoader(TensorDataset(x, y), batch_size=8)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


for epoch in range(2):
    stats = {"name": "run", "n": 0}
    for a, b in loader:
        out = model(a)
        loss = nn.functional.mse_loss(out, b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        stats["n"] += len(a)
    print(stats)
