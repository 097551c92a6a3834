"""A defaultdict of sums is printed as a whole: its keys are not known, which must be refused."""
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
from collections import defaultdict


for epoch in range(2):
    stats = defaultdict(float)
    for a, b in loader:
        out = model(a)
        loss = nn.functional.mse_loss(out, b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        stats["loss"] += loss.item() * len(a)
    print(dict(stats))
