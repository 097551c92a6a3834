"""Clocks of processes differ: one would leave an epoch before the others."""
import time
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(400, 6)
y = (x[:, 0] + 0.3 * torch.randn(400) > 0).long()
train_loader = DataLoader(TensorDataset(x[:320], y[:320]), batch_size=32, shuffle=True)
val_loader = DataLoader(TensorDataset(x[320:], y[320:]), batch_size=32)
model = nn.Linear(6, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
start = time.time()
for epoch in range(20):
    for data, target in train_loader:
        loss = criterion(model(data), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if time.time() - start > 3600:
        break
