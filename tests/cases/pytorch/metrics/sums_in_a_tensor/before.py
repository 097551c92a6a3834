"""Sums of several numbers are added up in an array."""

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.arange(320), torch.randn(320, 10), torch.randint(0, 3, (320,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    sums = np.zeros(2)
    for index, x, y in loader:
        optimizer.zero_grad()
        out = model(x)
        loss = nn.functional.cross_entropy(out, y)
        loss.backward()
        optimizer.step()
        sums += np.array([loss.item(), 1.0])
    print(epoch, sums)
