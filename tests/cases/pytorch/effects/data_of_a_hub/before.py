"""A data set of a hub is downloaded by rank 0 first."""

import os

import kagglehub
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
folder = kagglehub.dataset_download("somebody/rows")
rows = torch.load(os.path.join(folder, "rows.pt"))
loader = DataLoader(TensorDataset(rows[:, :6], rows[:, 6:]), batch_size=8, shuffle=True)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
