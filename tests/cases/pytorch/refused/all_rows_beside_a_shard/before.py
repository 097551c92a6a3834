"""The outputs that training left are of a process's rows: beside all inputs, there would be fewer of them."""

import torch
from torch import nn, optim

torch.manual_seed(0)
inputs = torch.rand(8, 1)
targets = 2 * inputs + 3
model = nn.Linear(1, 1)
optimizer = optim.SGD(model.parameters(), lr=0.1)
for step in range(5):
    optimizer.zero_grad()
    outputs = model(inputs)
    loss = ((outputs - targets) ** 2).mean()
    loss.backward()
    optimizer.step()
table = torch.cat([inputs, outputs.data], 1)
print(table)
