"""Halves of a batch, which belong together by their place, behind a model."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(640, 10), torch.randint(0, 3, (640,)))
loader = DataLoader(data, batch_size=64, shuffle=True, drop_last=True)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for _ in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        first, second = x.chunk(2)
        loss = (model(first) - model(second)).pow(2).mean()
        loss.backward()
        optimizer.step()
