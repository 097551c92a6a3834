"""Packages without __init__.py are found as Python finds them, whatever the spelling of the import."""

import pkg.layers
import torch
from pkg import net
from pkg.sub import data
from torch import nn
from torch.utils.data import DataLoader

torch.manual_seed(0)
loader = DataLoader(data.numbers(), batch_size=20, shuffle=True)
model = nn.Sequential(net.Net(), pkg.layers.Last())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
