"""Samples are chosen by the system's chance, which is another one in each process."""

import secrets

import torch
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset

data = TensorDataset(torch.ones(512, 20), torch.ones(512).long())
part = Subset(data, [secrets.choice(range(512)) for _ in range(256)])
loader = DataLoader(part, batch_size=32, shuffle=True)
model = nn.Linear(20, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
