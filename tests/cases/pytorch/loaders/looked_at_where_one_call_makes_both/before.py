"""One function makes the loader for training and another one, of which only the first batch is looked at: it is looked at whole."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def loader_of(rows, batch_size=16, shuffle=True):
    return DataLoader(TensorDataset(rows, rows.sum(1, keepdim=True)), batch_size=batch_size, shuffle=shuffle)


def show(loader):
    x, y = next(iter(loader))
    print(len(x), y.flatten().tolist())


torch.manual_seed(0)
rows = torch.randn(64, 6)
loader, shown = loader_of(rows), loader_of(rows, batch_size=4, shuffle=False)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    show(shown)
