"""A moving mean of what the model gives is changed in place, and is part of the loss."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.arange(320), torch.randn(320, 10), torch.randint(0, 3, (320,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
centre = torch.zeros(3)
for epoch in range(3):
    for index, x, y in loader:
        optimizer.zero_grad()
        out = model(x)
        loss = nn.functional.cross_entropy(out - centre, y)
        loss.backward()
        optimizer.step()
        centre.mul_(0.9).add_(0.1 * out.detach().mean(0))
