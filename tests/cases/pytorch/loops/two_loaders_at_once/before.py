"""Two loaders are gone over together; an evaluation over some batches is made by every process."""

from itertools import cycle, islice

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

x = torch.randn(96, 5)
y = x.sum(1, keepdim=True)
labelled = DataLoader(TensorDataset(x[:32], y[:32]), batch_size=8, shuffle=True)
unlabelled = DataLoader(TensorDataset(x[32:]), batch_size=16, shuffle=True)
ordered = DataLoader(TensorDataset(x, y), batch_size=16)
test_loader = DataLoader(TensorDataset(x, y), batch_size=16)
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    model.train()
    for i, ((inputs, targets), (others,)) in enumerate(zip(cycle(labelled), unlabelled)):
        loss = F.mse_loss(model(inputs), targets) + model(others).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    for (inputs, targets), (others, _) in zip(labelled, ordered):
        loss = F.mse_loss(model(inputs), targets) + model(others).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    total, count = 0.0, 0
    with torch.no_grad():
        for inputs, targets in islice(test_loader, 3):
            total += F.mse_loss(model(inputs), targets, reduction="sum").item()
            count += len(targets)
    print(epoch, total / count)
