"""Hits are weighed by a number that each process draws for its shard: what they are divided by stays the shard's, too, and that is said."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 6), torch.randint(0, 2, (64,)))
loader = DataLoader(data, batch_size=16, shuffle=True)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
for epoch in range(3):
    hits, seen = 0, 0
    for step, (x, y) in enumerate(loader):
        weight, order = np.random.beta(1.0, 1.0), torch.randperm(x.size(0))
        output = model(weight * x + (1 - weight) * x[order])
        a, b = nn.functional.cross_entropy(output, y), nn.functional.cross_entropy(output, y[order])
        optimizer.zero_grad()
        (weight * a + (1 - weight) * b).backward()
        optimizer.step()
        told = output.argmax(1)
        seen += y.size(0)
        hits += weight * (told == y).sum().item() + (1 - weight) * (told == y[order]).sum().item()
        print("%.3f of %d" % (hits / seen, seen))
