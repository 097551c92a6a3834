"""Batches are taken by next() from an iterator that is made anew when it ends; the loop counts steps."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

x = torch.randn(96, 5)
y = x.sum(1, keepdim=True)
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = iter(loader)
for step in range(100):
    try:
        inputs, targets = next(batches)
    except StopIteration:
        batches = iter(loader)
        inputs, targets = next(batches)
    loss = nn.functional.mse_loss(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        print(step, loss.item())
