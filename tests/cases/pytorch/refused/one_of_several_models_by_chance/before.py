"""Each process steps another one of several models."""

import random

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), batch_size=8, shuffle=True)
first = nn.Linear(4, 1)
second = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 1))
nets = [first, second]
optimizers = [torch.optim.SGD(first.parameters(), lr=0.1), torch.optim.Adam(second.parameters())]
criterion = nn.MSELoss()
for epoch in range(3):
    for step, (x, y) in enumerate(loader):
        at = random.randrange(2)
        net, optimizer = nets[at], optimizers[at]
        optimizer.zero_grad()
        loss = criterion(net(x), y)
        loss.backward()
        optimizer.step()
torch.save(second.state_dict(), "second.pt")
