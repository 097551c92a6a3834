"""Loaders of one statement: each keeps its own data, and the data sets are made in the same order."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


def make(n):
    return TensorDataset(torch.randn(n, 6), torch.randn(n, 1))


def loaders():
    return DataLoader(make(320), batch_size=32, shuffle=True), DataLoader(make(70), batch_size=20), DataLoader(make(130), batch_size=20)


torch.manual_seed(0)
train_loader, val_loader, test_loader = loaders()
net = nn.Linear(6, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in train_loader:
        loss = F.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    val = test = 0
    with torch.no_grad():
        for x, y in val_loader:
            val += F.mse_loss(net(x), y).item()
        for x, y in test_loader:
            test += F.mse_loss(net(x), y).item()
    print(val / len(val_loader), test / len(test_loader))
