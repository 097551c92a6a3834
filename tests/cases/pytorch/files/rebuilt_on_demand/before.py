"""A file is made again where that is asked for: rank 0 alone writes it, whoever computes it."""

import os

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset


def table(path, rebuild):
    if os.path.exists(path) and not rebuild:
        return np.load(path)
    rows = np.arange(160.0).reshape(40, 4) / 160
    np.save(path, rows)
    return rows


torch.manual_seed(0)
rows = table("table.npy", rebuild=os.environ.get("REBUILD") == "1")
features = torch.tensor(rows, dtype=torch.float32)
loader = DataLoader(TensorDataset(features, features.sum(1, keepdim=True)), batch_size=8, shuffle=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(2):
    total = 0.0
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch}: {total / len(loader):.4f}")

