"""Inputs are rows of a tensor; labels come from a library that nobody can follow."""
import torch
import torch.nn.functional as F
from labels import labels_of
from torch import nn

torch.manual_seed(0)
data = torch.randn(512, 10)
model = nn.Linear(10, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for step in range(100):
    rows = torch.randint(0, 512, (64,))
    loss = F.cross_entropy(model(data[rows]), labels_of(rows))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
