"""Targets of shape [B] are subtracted from predictions of shape [B, 1], in rows of an order that is drawn anew."""
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(48, 4)
y = x.sum(1)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    order = torch.randperm(48)
    for start in range(0, 48, 12):
        rows = order[start : start + 12]
        loss = ((model(x[rows]) - y[rows]) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
