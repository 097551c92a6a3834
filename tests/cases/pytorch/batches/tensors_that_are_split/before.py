"""Inputs and labels are put in a new order and split into batches in each epoch."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(100, 6)
y = (x[:, 0] > 0).long()
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    order = torch.randperm(len(x))
    for features, labels in zip(x[order].split(16), y[order].split(16)):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(features), labels)
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}")
