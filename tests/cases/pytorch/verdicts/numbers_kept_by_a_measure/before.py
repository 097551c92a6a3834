"""The number of the batch with the best measure is kept, and training ends so many batches after it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(128, 6)
y = (x[:, 0] > 0).long()
loader = DataLoader(TensorDataset(x[:96], y[:96]), batch_size=16, shuffle=True)
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
best, seen, last, done = float("inf"), 0, 0, False
for epoch in range(5):
    for features, labels in loader:
        loss = nn.functional.cross_entropy(model(features), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            measured = nn.functional.cross_entropy(model(x[96:]), y[96:]).item()
        if measured < best:
            best, last = measured, seen
        seen += 1
        if seen - last > 10:
            done = True
            break
    if done:
        break
