"""Each update collects the gradients of four batches that next() takes from a loader."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(96, 6)
y = (x[:, 0] > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=12, shuffle=True)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
iterator = iter(loader)
for step in range(12):
    optimizer.zero_grad()
    for micro_step in range(4):
        try:
            features, labels = next(iterator)
        except StopIteration:
            iterator = iter(loader)
            features, labels = next(iterator)
        loss = criterion(model(features), labels) / 4
        loss.backward()
    optimizer.step()
