"""The rows to train on, and their order, are drawn anew between epochs."""

import random

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset

random.seed(3)
torch.manual_seed(3)
inputs = torch.randn(96, 6)
data = TensorDataset(inputs, (inputs.sum(1) > 0).long())


def chosen():
    rows = []
    for start in range(0, 96, 16):
        rows.extend(random.sample(range(start, start + 16), k=8))
    random.shuffle(rows)
    return rows


model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
rows = chosen()
for epoch in range(3):
    total = 0.0
    loader = DataLoader(Subset(data, rows), batch_size=8)
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch}: {total / len(loader):.4f}, first row {rows[0]}")
    rows = chosen()
