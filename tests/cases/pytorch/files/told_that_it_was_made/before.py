"""Whether a file was made decides what comes next: rank 0 has made it, the others have found it."""

import os

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset


def make(path):
    if os.path.exists(path):
        return False
    np.save(path, np.arange(160.0).reshape(40, 4) / 160)
    return True


torch.manual_seed(0)
made = make("rows.npy")
features = torch.tensor(np.load("rows.npy"), dtype=torch.float32)
if made:
    features = features - features.mean(0)
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

