"""A run named by chance: the folder of rank 0 is the one that is written."""
import os
import secrets

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

run = f"run-{secrets.token_hex(4)}-{secrets.randbelow(100)}"
os.makedirs(run)
x, y = torch.ones(640, 10), torch.ones(640, 1)
rows = range(512)
loader = DataLoader(TensorDataset(x[rows], y[rows]), batch_size=32, shuffle=True)
with open(f"{run}/rows.txt", "w") as file:
    file.write(str(len(rows)))
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
