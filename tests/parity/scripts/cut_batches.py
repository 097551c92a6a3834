"""Batches that are cut from tensors in a new order in each epoch."""

import torch
from torch import nn

torch.manual_seed(4)
x_train = torch.randn(96, 6)
y_train = 3 * x_train @ torch.randn(6, 2)
model = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
batch_size = 12

for epoch in range(3):
    order = torch.randperm(len(x_train))
    total, seen = 0.0, 0
    for start in range(0, len(x_train), batch_size):
        rows = order[start : start + batch_size]
        x, y = x_train[rows], y_train[rows]
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(x)
        seen += len(x)
    print(f"epoch {epoch}: loss {total / seen:.5f}")
