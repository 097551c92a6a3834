"""A module has a method and a function that only share their names with a library's and the script's own: nobody calls
them, and nothing is said of what they write."""

import torch
from helpers import *
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(32, 4), torch.randint(0, 2, (32,)))
loader = DataLoader(data, batch_size=8)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=settings.rate)


def test():
    with torch.no_grad():
        return model(torch.ones(1, 4)).sum().item()


for epoch in range(2):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    value = test()
torch.save(model.state_dict(), "model.pt")
