"""The losses of all steps are laid out as an array of NumPy, which is no single number to be averaged as one."""

import numpy
import torch
from torch import nn, optim

torch.manual_seed(0)
inputs = torch.rand(8, 1)
targets = 2 * inputs + 3
model = nn.Linear(1, 1)
optimizer = optim.SGD(model.parameters(), lr=0.1)
losses = []
for step in range(6):
    optimizer.zero_grad()
    loss = ((model(inputs) - targets) ** 2).mean()
    loss.backward()
    optimizer.step()
    losses.append(loss.data.numpy())
curve = numpy.reshape(losses, (3, 2))
print(curve)
