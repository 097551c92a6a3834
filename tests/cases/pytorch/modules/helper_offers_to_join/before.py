"""A module of the script's own could join a group of processes, but nothing asks it to: the script is converted."""

import torch
from helper import describe
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
describe(4)
data = TensorDataset(torch.randn(320, 10), torch.randint(0, 3, (320,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
