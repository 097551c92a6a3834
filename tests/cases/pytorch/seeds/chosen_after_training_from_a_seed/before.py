"""Samples are chosen after training, right after a seed is set: all processes choose the same."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 4)
y = (x.sum(1) > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=4, shuffle=True)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
for epoch in range(2):
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
import random

random.seed(42)
kept = []
for features, label in random.sample(list(zip(x, y)), k=9):
    kept.append(features)
print(kept)
torch.manual_seed(1)
rows = range(len(x))
print(torch.randperm(len(rows)))
