"""Who makes the file draws from the generator that orders the rows afterwards."""

import os

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset


generator = np.random.default_rng(0)
torch.manual_seed(0)
if not os.path.exists("rows.npy"):
    rows = generator.normal(size=(40, 4))
    np.save("rows.npy", rows)
else:
    rows = np.load("rows.npy")
order = generator.permutation(40)
features = torch.tensor(rows[order], dtype=torch.float32)
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

