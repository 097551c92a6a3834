"""Tensors are made in a loop under one name: all that the optimizer steps is averaged, not only the last."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 8)
loader = DataLoader(TensorDataset(x, (x[:, 0] > 0).long()), batch_size=8, shuffle=True)
model = nn.Linear(8, 2)
params = list(model.parameters())
shifts = []
for _ in range(3):
    shift = torch.zeros(2, requires_grad=True)
    shifts.append(shift)
    params.append(shift)
optimizer = torch.optim.SGD(params, lr=0.1)
for epoch in range(3):
    for a, b in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(a) + sum(shifts), b).backward()
        optimizer.step()
print(sum(p.abs().sum().item() for p in params))
