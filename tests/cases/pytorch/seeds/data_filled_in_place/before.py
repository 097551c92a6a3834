"""Data that is drawn by methods, initialisers and distributions, without a seed: rank 0's is shared.

The weights of the layer are drawn in place, too: the wrapper sends them around.
"""

import torch
from torch import nn, optim
from torch.distributions import Normal

inputs = nn.init.uniform_(torch.Tensor(1000, 3), -1, 1)
weights = Normal(torch.zeros(3, 1), torch.ones(3, 1)).sample()
noise = torch.empty(1000, 1).normal_(0, 0.1)
targets = inputs.mm(weights) + noise

model = nn.Linear(3, 1)
nn.init.normal_(model.weight, std=0.02)
optimizer = optim.SGD(model.parameters(), lr=0.1)
for step in range(100):
    optimizer.zero_grad()
    loss = ((model(inputs) - targets) ** 2).mean()
    loss.backward()
    optimizer.step()
