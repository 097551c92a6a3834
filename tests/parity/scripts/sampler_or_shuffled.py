"""An option decides whether samples are drawn by weight, in one loader that is given a sampler or none, and in one of
two.
"""

import sys

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

torch.manual_seed(5)
inputs = torch.randn(200, 6)
labels = (inputs[:, 0] + inputs[:, 1] > 1).long()
data = TensorDataset(inputs, labels)
weights = 1.0 / labels.bincount()[labels].float()
sampler = WeightedRandomSampler(weights, 183) if "--balance" in sys.argv else None
loader = DataLoader(data, batch_size=24, shuffle=(sampler is None), sampler=sampler)
if "--balance" in sys.argv:
    second = DataLoader(data, batch_size=20, sampler=WeightedRandomSampler(weights, 160))
else:
    second = DataLoader(data, batch_size=20, shuffle=True)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    for x, y in second:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch}: {total / (len(loader) + len(second)):.4f}")
