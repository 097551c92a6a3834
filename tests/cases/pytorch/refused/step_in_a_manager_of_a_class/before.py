"""A context manager whose __exit__ may return something true catches what is raised."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(240, 8)
y = (x.sum(1) > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=20, shuffle=True)
model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

class Skipping:
    def __enter__(self):
        return self
    def __exit__(self, kind, value, trace):
        return kind is RuntimeError


for epoch in range(2):
    for a, b in loader:
        with Skipping():
            optimizer.zero_grad()
            loss = F.cross_entropy(model(a), b)
            loss.backward()
            optimizer.step()
