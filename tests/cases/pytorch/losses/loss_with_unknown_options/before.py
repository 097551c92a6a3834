"""A loss that is made with what a file says, which may have it sum over the samples."""

import json

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

with open("options.json") as file:
    options = json.load(file)
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(320, 4), torch.randn(320, 2)), batch_size=32, shuffle=True)
model = nn.Linear(4, 2)
criterion = nn.MSELoss(**options)
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
for epoch in range(4):
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
