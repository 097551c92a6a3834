"""A table is fetched where there is no copy of it: rank 0 asks, fetches and keeps one, then the others read that."""

import os

import numpy as np
import torch
from sklearn.datasets import fetch_openml
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
if os.path.exists("rows.npy"):
    rows = np.load("rows.npy")
else:
    rows = fetch_openml("abalone", as_frame=False).data[:, :4].astype("float32")
    np.save("rows.npy", rows)
x = torch.from_numpy(rows)
y = x.sum(1, keepdim=True)
model = nn.Linear(4, 1)
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(2):
    for a, b in loader:
        loss = nn.functional.mse_loss(model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
