"""The sums in a dict are divided where they are printed, in a comprehension: they are reduced before."""
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
    stats = {"loss": 0.0, "n": 0}
    for a, b in loader:
        out = model(a)
        loss = nn.functional.mse_loss(out, b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        stats["loss"] += loss.item() * len(a)
        stats["n"] += len(a)
    print({k: v / 64 for k, v in stats.items()})
