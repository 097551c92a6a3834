"""Whether a table is fetched depends on the time: one process would wait for another that goes another way."""

import time

import torch
from sklearn.datasets import fetch_openml
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 4)
if time.time() % 2 < 1:
    x = torch.tensor(fetch_openml("abalone", as_frame=False).data[:, :4]).float()
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
