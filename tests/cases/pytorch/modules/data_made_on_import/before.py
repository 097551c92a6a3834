"""Data that is split while its module is imported is split alike on all processes: they share a seed before."""
import torch
from torch import nn
from torch.utils.data import DataLoader
from data import train_set, test_set

loader = DataLoader(train_set, batch_size=32, shuffle=True)
model = nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-5)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
print(len(test_set))
