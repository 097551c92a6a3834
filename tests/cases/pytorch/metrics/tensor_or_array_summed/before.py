"""The losses that are summed up are tensors, or NumPy arrays with an option: neither is the type of the total, which must be refused."""
import sys

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 4)
y = torch.randn(64, 1)
loader = DataLoader(TensorDataset(x, y), batch_size=8)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
as_array = "--array" in sys.argv
def value(loss):
    if as_array:
        return loss.detach().numpy()
    return loss.detach()


for epoch in range(2):
    total = 0.0
    for a, b in loader:
        out = model(a)
        loss = nn.functional.mse_loss(out, b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += value(loss)
    print(epoch, total)
