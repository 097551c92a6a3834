"""Targets are made with a shape that is given by name, before or behind the value that fills them."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(64, 4)), batch_size=8, shuffle=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.BCELoss()
for epoch in range(3):
    for (x,) in loader:
        noise = torch.randn(size=(len(x), 4))
        real = torch.full(size=(len(x),), fill_value=0.9)
        fake = torch.zeros(size=(x.size(0),))
        optimizer.zero_grad()
        loss = criterion(torch.sigmoid(model(x)).view(-1), real)
        loss = loss + criterion(torch.sigmoid(model(noise)).view(-1), fake)
        loss.backward()
        optimizer.step()
