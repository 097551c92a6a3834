"""Blocks of a plain list: each gives a group, or their layers are added one by one; all that is stepped is averaged."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        return self.layer(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = []
        for _ in range(3):
            self.parts.append(Block())
        self.out = nn.Linear(8, 2)

    def forward(self, x):
        for part in self.parts:
            x = torch.tanh(part(x))
        return self.out(x)


torch.manual_seed(0)
x = torch.randn(64, 8)
loader = DataLoader(TensorDataset(x, (x[:, 0] > 0).long()), batch_size=8, shuffle=True)
model = Net()
groups = [{"params": part.parameters(), "lr": 0.2} for part in model.parts]
optimizer = torch.optim.SGD([{"params": model.parameters()}, *groups], lr=0.1)
other = Net()
params = list(other.parameters())
for part in other.parts:
    params += part.layer.parameters()
second = torch.optim.SGD(params, lr=0.1)
for epoch in range(3):
    for a, b in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(a), b).backward()
        optimizer.step()
for epoch in range(3):
    for a, b in loader:
        second.zero_grad()
        nn.functional.cross_entropy(other(a), b).backward()
        second.step()
