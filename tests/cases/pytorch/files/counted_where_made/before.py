"""What is counted where files are made is another number where they are found."""

import os

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset


made = []
torch.manual_seed(0)
for name in ("one", "two"):
    if not os.path.exists(name + ".npy"):
        rows = np.arange(80.0).reshape(20, 4) / 80
        np.save(name + ".npy", rows)
        made.append(name)
features = torch.tensor(np.concatenate([np.load("one.npy"), np.load("two.npy")]), dtype=torch.float32) * (1 + len(made))
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

