"""Loaders that a module makes on import are shared out there, behind the start."""
import torch
from torch import nn

from pipeline import train_loader, test_loader

torch.manual_seed(0)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
correct, seen = 0, 0
with torch.no_grad():
    for x, y in test_loader:
        correct += (model(x).argmax(1) == y).sum().item()
        seen += len(y)
print(correct / seen)
