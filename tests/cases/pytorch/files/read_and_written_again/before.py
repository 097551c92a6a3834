"""A count of runs: who reads it after rank 0 has written it reads another number."""

import os

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset


torch.manual_seed(0)
if os.path.exists("runs.txt"):
    with open("runs.txt") as file:
        runs = int(file.read())
    with open("runs.txt", "w") as file:
        file.write(str(runs + 1))
else:
    runs = 0 * len("runs")
    with open("runs.txt", "w") as file:
        file.write("1")
features = torch.linspace(0, 1, 160).view(40, 4) * (1 + runs)
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

