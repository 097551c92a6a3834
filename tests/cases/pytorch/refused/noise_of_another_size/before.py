"""Noise whose number of rows is not known to be that of the batch."""
import torch
from torch import nn

torch.manual_seed(0)
data = torch.randn(96, 5)
model = nn.Linear(10, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for start in range(0, 96, 12):
    x = data[start : start + 12]
    noise = torch.randn(len(data) // 8, 5)
    loss = (model(torch.cat((x, noise), 1)) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
