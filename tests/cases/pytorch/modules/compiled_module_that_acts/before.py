"""A module of the project is no Python, and is called for what it does: under a name that another module gives it."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

from tools.pruning import squeeze as shrink

loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), batch_size=32, shuffle=True)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    result = shrink(model)
