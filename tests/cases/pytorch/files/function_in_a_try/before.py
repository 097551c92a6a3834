"""A function makes a file where it is missing; where it fails, it is called again with another path."""

import os

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset


def make(path, rows):
    if os.path.exists(path):
        print(f"{path} is there")
        return
    np.save("part.npy", np.arange(4.0 * rows).reshape(rows, 4) / 100)
    os.rename("part.npy", path)
    print(f"{path} is made")


torch.manual_seed(0)
try:
    make("rows.npy", 40)
except OSError as error:
    print(error)
    make("rows.npy", 8)
features = torch.tensor(np.load("rows.npy"), dtype=torch.float32)
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

