"""Samples are drawn with replacement, by weights."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

torch.manual_seed(10)
x = torch.randn(120, 6)
y = (x[:, 0] > 1).long()
weights = torch.where(y == 1, 5.0, 1.0)
sampler = WeightedRandomSampler(weights, len(x))
loader = DataLoader(TensorDataset(x, y), batch_size=20, sampler=sampler)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(2):
    total = 0.0
    for a, b in loader:
        optimizer.zero_grad()
        loss = criterion(model(a), b)
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f'epoch {epoch}: loss {total / len(loader):.5f}')
