"""A list of samples: each step trains on one of them."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(96, 6)
y = (x[:, 0] > 0).long()
samples = [(x[number], y[number]) for number in range(len(x))]
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for features, label in samples:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(features[None]), label[None])
        loss.backward()
        optimizer.step()
