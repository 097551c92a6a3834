"""A WeightedRandomSampler balances the classes: a plain distributed sampler would drop it."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

labels = (torch.rand(1000) < 0.05).long()
weights = torch.where(labels == 1, 20.0, 1.0)
sampler = WeightedRandomSampler(weights, num_samples=len(weights), replacement=True)
loader = DataLoader(TensorDataset(torch.randn(1000, 10), labels), batch_size=50, sampler=sampler)
model = nn.Linear(10, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
