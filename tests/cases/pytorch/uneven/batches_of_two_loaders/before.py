"""A loss of two batches, whose shares have weights of their own: it cannot be told what each of its terms counts."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
labelled = DataLoader(TensorDataset(torch.randn(66, 8), torch.randint(0, 2, (66,))), batch_size=15, shuffle=True)
other = DataLoader(TensorDataset(torch.randn(97, 8)), batch_size=21, shuffle=True)
model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for (x, y), (z,) in zip(labelled, other):
        loss = nn.functional.cross_entropy(model(x), y) + 0.1 * model(z).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
