"""A loss that is made with a dict of options, which the script writes."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

options = {"reduction": "sum"}
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
